#include "oracle.h"
void signals_open(void){}
void files_open(void){}
bool signal_deliverable(struct thread *thread){(void)thread; return false;}
