/* A program that was linked with libtsan takes atexit from there. libc has none to call: it puts
 * one into each program that was linked without. */
#include "runtime/engine/runtime.h"

int __cxa_atexit(void (*handler)(void *), void *argument, void *module);

EXPORT int atexit(void (*handler)(void))
{
    return __cxa_atexit((void (*)(void *))(void *)handler, NULL, NULL);
}
