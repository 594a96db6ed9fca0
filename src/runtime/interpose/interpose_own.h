/* State of the folder interpose/, kept for each execution. */
#ifndef RUNTIME_INTERPOSE_INTERPOSE_OWN_H
#define RUNTIME_INTERPOSE_INTERPOSE_OWN_H

struct execution_interpose {
    char *token; /* where strtok goes on; NULL: nowhere */
};

#endif
