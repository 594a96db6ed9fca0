# For sources that use LOCAL_HERE (local.h): these registers stay as the program left them.
set(LOCAL_HERE "-ffixed-rbx -ffixed-r12 -ffixed-r13 -ffixed-r14 -ffixed-r15")
