/* The version of the tool and of the runtime, which go together. */
#ifndef CORE_VERSION_H
#define CORE_VERSION_H

#define BOHR_VERSION "0.1.0"

#endif
