# find_package(bohr): tests that are explored, in a CMake project of yours.
#
#   target_link_libraries(queue PRIVATE bohr::bohr)     what a library or program of yours needs to be explored
#   bohr_add_test(queue_test)                           a test of CTest: bohr run queue_test
#   bohr_add_test(queue_test NAME push OPTIONS -s dpor -t 30s ARGS --only push)
#
# bohr_add_test links the target to bohr::bohr by itself; libraries that it uses are seen only as far as they are
# linked to it, too. NAME is that of the test (the target's), OPTIONS are those of bohr run, ARGS the program's.
get_filename_component(BOHR_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(BOHR_EXECUTABLE "${BOHR_PREFIX}/bin/bohr")

# What bohr cc would add to the commands of this compiler.
function(_bohr_flags out what)
    set(compiler "${CMAKE_CXX_COMPILER}")
    if(CMAKE_C_COMPILER)
        set(compiler "${CMAKE_C_COMPILER}")
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "BOHR_CC=${compiler}" "${BOHR_EXECUTABLE}" cc ${what}
                    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "bohr: ${BOHR_EXECUTABLE} cc ${what} failed")
    endif()
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(${out} "${flags}" PARENT_SCOPE)
endfunction()

if(NOT TARGET bohr::bohr)
    _bohr_flags(compiling --flags)
    _bohr_flags(linking --libs)
    string(REPLACE "--param;" "SHELL:--param " compiling "${compiling}") # pairs stay pairs
    string(REPLACE "-mllvm;" "SHELL:-mllvm " compiling "${compiling}")
    string(REPLACE "-x;none" "SHELL:-x none" linking "${linking}")
    add_library(bohr::bohr INTERFACE IMPORTED)
    set_target_properties(bohr::bohr PROPERTIES
        INTERFACE_COMPILE_OPTIONS "-g;${compiling}" INTERFACE_LINK_OPTIONS "${linking}"
        INTERFACE_INCLUDE_DIRECTORIES "${BOHR_PREFIX}/include")
endif()

function(bohr_add_test target)
    cmake_parse_arguments(PARSE_ARGV 1 test "" "NAME" "OPTIONS;ARGS")
    if(test_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "bohr_add_test: what is '${test_UNPARSED_ARGUMENTS}'? NAME, OPTIONS and ARGS are known")
    endif()
    if(NOT test_NAME)
        set(test_NAME ${target})
    endif()
    get_target_property(linked ${target} LINK_LIBRARIES)
    if(NOT "bohr::bohr" IN_LIST linked)
        target_link_libraries(${target} PRIVATE bohr::bohr)
    endif()
    string(MAKE_C_IDENTIFIER "${test_NAME}" folder)
    add_test(NAME ${test_NAME} COMMAND "${BOHR_EXECUTABLE}" run --output bohr-out/${folder} ${test_OPTIONS}
             $<TARGET_FILE:${target}> ${test_ARGS})
endfunction()
