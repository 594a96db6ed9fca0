# The library inside the tested process. It is named libtsan.so.2 so that it also stands in for the
# one that `gcc -fsanitize=thread` links against.
add_library(runtime SHARED ${shared_sources} ${runtime_sources})
target_include_directories(runtime PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_options(runtime PRIVATE
    -O3 -ffreestanding -fbuiltin -fvisibility=hidden -fno-stack-protector -fno-omit-frame-pointer
    -fasynchronous-unwind-tables -mfsgsbase -mpopcnt -U_FORTIFY_SOURCE)
if(CMAKE_C_COMPILER_ID STREQUAL GNU) # string instructions take long to begin
    foreach(strategy memset memcpy)
        target_compile_options(runtime PRIVATE $<$<COMPILE_LANGUAGE:C>:
            -m${strategy}-strategy=vector_loop:768:noalign,rep_8byte:-1:noalign>)
    endforeach()
endif()
if(BOHR_TRAPS)
    target_compile_options(runtime PRIVATE
        $<$<COMPILE_LANGUAGE:C>:-fsanitize=undefined -fsanitize-undefined-trap-on-error>)
endif()
target_link_options(runtime PRIVATE
    -nostdlib -Wl,-soname,libtsan.so.2 -Wl,-z,initfirst -Wl,-z,now -Wl,--no-undefined
    -Wl,-Bsymbolic-functions)
# A debugger that shows the innermost place with a source then shows one of the program's.
target_link_options(runtime PRIVATE $<$<CONFIG:RelWithDebInfo>:-Wl,--strip-debug>)
target_link_libraries(runtime PRIVATE c gcc_s gcc)
set_target_properties(runtime PROPERTIES
    OUTPUT_NAME tsan SUFFIX .so.2 LIBRARY_OUTPUT_DIRECTORY ${library_folder})

# A source may ask for flags of its own with a line "/* compile: FLAGS */" near its top; LOCAL_HERE stands for those of
# arch/.
include(runtime/arch/x86_64/flags.cmake)
foreach(source IN LISTS runtime_sources)
    file(STRINGS ${source} flags LIMIT_COUNT 1 REGEX "^/\\* compile: .* \\*/$")
    if(flags)
        string(REGEX REPLACE "^/\\* compile: (.*) \\*/$" "\\1" flags "${flags}")
        string(REPLACE LOCAL_HERE "${LOCAL_HERE}" flags "${flags}")
        separate_arguments(flags)
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}")
    endif()
endforeach()

# Threads come back to these from a switch: how they return, see runtime/arch/x86_64/switch.S.
include(CheckCCompilerFlag)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # where they jump to is ours
check_c_compiler_flag(-mfunction-return=thunk-extern RETURNS_BY_JUMP)
unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
if(RETURNS_BY_JUMP)
    foreach(room sync time file process)
        file(GLOB sources CONFIGURE_DEPENDS runtime/${room}/*.c)
        list(APPEND switching ${sources})
    endforeach()
    list(REMOVE_ITEM switching ${CMAKE_CURRENT_SOURCE_DIR}/runtime/process/end.c # nobody comes back to it
         ${CMAKE_CURRENT_SOURCE_DIR}/runtime/time/kernel_signals.c)
    list(APPEND switching runtime/engine/scheduler.c runtime/engine/thread_life.c runtime/memory/atomic.c runtime/memory/api.c
         runtime/memory/shared_state.c)
    set_property(SOURCE ${switching} APPEND PROPERTY COMPILE_OPTIONS -mfunction-return=thunk-extern)
endif()

# gcc -B<folder> looks for these two; the second has nothing to do but must exist.
add_custom_command(TARGET runtime POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink libtsan.so.2 ${library_folder}/libtsan.so)
file(WRITE ${PROJECT_BINARY_DIR}/empty.c "")
add_custom_command(OUTPUT ${library_folder}/libtsan_preinit.o
    COMMAND ${CMAKE_C_COMPILER} -c -o ${library_folder}/libtsan_preinit.o
            ${PROJECT_BINARY_DIR}/empty.c)
add_custom_target(preinit ALL DEPENDS ${library_folder}/libtsan_preinit.o)
add_dependencies(preinit runtime)

install(TARGETS runtime LIBRARY DESTINATION lib/bohr)
install(FILES ${library_folder}/libtsan.so ${library_folder}/libtsan_preinit.o
        DESTINATION lib/bohr)
