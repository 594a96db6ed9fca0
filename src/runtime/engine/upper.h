/* Functions of upper rooms that lower rooms call: see upper.def. */
#ifndef RUNTIME_ENGINE_UPPER_H
#define RUNTIME_ENGINE_UPPER_H

#include "runtime/engine/runtime.h"

struct file;
struct file_wait;
struct sigaction;
struct still;

enum alert { ALERT_AGAIN, ALERT_INTERRUPTED };

#define UPPER(room, type, name, arguments) type name arguments;
#include "runtime/engine/upper.def"
#undef UPPER

#endif
