/* State of the folder file/, kept for each execution. */
#ifndef RUNTIME_FILE_FILE_OWN_H
#define RUNTIME_FILE_FILE_OWN_H

struct execution_file {
    struct folder *folders;          /* that are being listed */
    struct descriptors *descriptors; /* what is known of those that were closed; NULL: nothing */
};

#endif
