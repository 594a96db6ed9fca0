#!/usr/bin/env python3
"""The claim names code that was not instrumented, and a race that it may order is a warning.

Lost updates and correct locks stand in libraries, objects and assembler that nobody instrumented, each
linked in another way. Programs whose code was seen, and those that use libm and libstdc++, name
nothing."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail  # noqa: E402

COUNTER = "static int n; void add(void) { int x = n; n = x + 1; } int get(void) { return n; }\n"
EXTERNAL = 'extern "C" { ' + COUNTER + " }\n"
USES_COUNTER = """
#include <assert.h>
#include <pthread.h>
void add(void);
int get(void);
static void *work(void *a) { add(); return a; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(get() == 2);
    return 0;
}
"""
LOADS_COUNTER = """
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
static void (*add)(void);
static int (*get)(void);
static void *work(void *a) { add(); return a; }
int main(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW);
    assert(library);
    add = (void (*)(void))dlsym(library, "add");
    get = (int (*)(void))dlsym(library, "get");
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(get() == 2);
    return 0;
}
"""
COUNTER_ASSEMBLER = """
    .text
    .globl add
add:
    mov n(%rip), %eax
    add $1, %eax
    mov %eax, n(%rip)
    ret
    .globl get
get:
    mov n(%rip), %eax
    ret
    .bss
n:  .long 0
    .section .note.GNU-stack,"",@progbits
"""
# Correct: the order comes from a lock, or from a release and an acquire, in code that is not seen.
LOCK = """
#include <sched.h>
static int l;
void enter(void) { while (__atomic_exchange_n(&l, 1, __ATOMIC_ACQUIRE)) sched_yield(); }
void leave(void) { __atomic_store_n(&l, 0, __ATOMIC_RELEASE); }
"""
USES_LOCK = """
#include <assert.h>
#include <pthread.h>
void enter(void);
void leave(void);
static int n;
static void *work(void *a) { enter(); n++; leave(); return a; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(n == 2);
    return 0;
}
"""
FLAG = """
static int flag;
void publish(void) { __atomic_store_n(&flag, 1, __ATOMIC_RELEASE); }
int published(void) { return __atomic_load_n(&flag, __ATOMIC_ACQUIRE); }
"""
USES_FLAG = """
#include <assert.h>
#include <pthread.h>
void publish(void);
int published(void);
static int data;
static void *work(void *a) { data = 1; publish(); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (published())
        assert(data == 1);
    pthread_join(t, 0);
    return 0;
}
"""
MOVES = """
#include <assert.h>
#include <pthread.h>
static long n;
static long load(long *p)
{
    long r;
    __asm__ volatile("movq %1, %0" : "=r"(r) : "m"(*p) : "memory");
    return r;
}
static void store(long *p, long x) { __asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(x) : "memory"); }
static void *work(void *a) { store(&n, load(&n) + 1); return a; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(load(&n) == 2);
    return 0;
}
"""
SPIN = """
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static int l, n;
static int swap(int *p, int v)
{
    __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}
static void *work(void *a)
{
    while (swap(&l, 1))
        sched_yield();
    n++;
    swap(&l, 0);
    return a;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(n == 2);
    return 0;
}
"""
# All of this is seen: no assembler accesses memory that threads share.
SEEN = """
#include <math.h>
#include <pthread.h>
static const int table[] = {1, 2, 3};
static int pick(int i) { return table[i]; }
static int choose(int i) { switch (i) { case 0: return 7; case 1: return 1; case 2: return 4; case 3: return 9; case 4: return 3; } return 0; }
static int atomic, last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a)
{
    unsigned control = 0, low, high;
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("pause");
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    __asm__ volatile("cpuid" : "=a"(low), "=d"(high) : "0"(0) : "rbx", "rcx");
    __atomic_fetch_add(&atomic, pick((int)(control & 1)), __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&m);
    last = choose((int)floor(sqrt((double)__atomic_load_n(&atomic, __ATOMIC_SEQ_CST))));
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
"""
SEEN_CXX = """
#include <atomic>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
struct Base { virtual ~Base() {} virtual int value() const { return 1; } };
struct Other : virtual Base { int value() const override { return 2; } };
static std::map<std::string, int> names;
static std::mutex mutex;
static std::atomic<int> sum;
int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([i] {
            Other other;
            const Base &base = other;
            std::lock_guard<std::mutex> guard(mutex);
            names[std::to_string(i)] = base.value();
            sum += base.value();
        });
    for (auto &thread : threads)
        thread.join();
    std::cout << names.size() << " " << sum << "\\n";
    return names.size() != 2;
}
"""
ZIP = """
#include <assert.h>
#include <pthread.h>
#include <zlib.h>
static unsigned long sums[2];
static void *work(void *a)
{
    long i = (long)a;
    sums[i] = crc32(0, (const unsigned char *)"bohr", 4);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, (void *)1);
    work((void *)0);
    pthread_join(t, 0);
    assert(sums[0] == sums[1]);
    return 0;
}
"""


def expect(bench, title, program, names, races=False, **settings):
    """The claim names these, in the JSON too; where they order accesses, races are warnings."""
    result = bench.explore(["-t", "10s"], program, **settings)
    claim, kinds = result["claim"], {(f["kind"], f["severity"]) for f in result["findings"]}
    for name in names:
        if not any(name in listed for listed in claim["uninstrumented"]) or name not in claim["text"]:
            fail(title, expected=f"the claim names {name}", actual=claim)
    if not names and claim["uninstrumented"]:
        fail(title, expected="all code was seen", actual=claim)
    if kinds - {("race", "warning"), ("misuse", "warning")} or (("race", "warning") in kinds) != races:
        fail(title, expected="races as warnings" if races else "no race", actual=kinds)
    for finding in result["findings"]:
        if finding["kind"] == "race" and not any(name in finding["why"] for name in names):
            fail(title, expected="the race says what may order it", actual=finding["why"])
    bench.replay_all(title, result)
    print(f"ok   {title}: {', '.join(claim['uninstrumented']) or 'all code was seen'}")


def build(bench, name, source, parts=(), compiler="gcc", **settings):
    """With bohr cc; the parts come behind the source, as libraries must."""
    cxx = "std::" in source
    program, path = bench.folder / name, bench.write(name + (".cc" if cxx else ".c"), source)
    driver = {"gcc": "g++", "clang": "clang++"}[compiler]
    bench.must(["env", f"BOHR_CC={compiler}", f"BOHR_CXX={driver}", bench.bohr, "c++" if cxx else "cc",
                "-g", "-O1", "-o", program, path, *parts], **settings)
    return program


def object_of(bench, name, source, flags, compiler="gcc"):
    out = bench.folder / (pathlib.Path(name).stem + ".o")
    bench.must([compiler, "-O1", *flags, "-c", "-o", out, bench.write(name, source)])
    return out


def library_of(bench, name, source, compiler="gcc"):
    out = bench.folder / f"lib{pathlib.Path(name).stem}.so"
    bench.must([compiler, "-O1", "-fPIC", "-shared", "-o", out, bench.write(name, source)])
    return out


def check_libraries(bench):
    linked = [f"-Wl,-rpath,{bench.folder}"]
    plain = library_of(bench, "plain.c", COUNTER)
    expect(bench, "a plain library", build(bench, "library", USES_COUNTER, [plain, *linked]),
           ["libplain.so"])
    expect(bench, "a plain library by dlopen",
           build(bench, "dlopen", LOADS_COUNTER, [f'-DLIBRARY="{plain}"']), ["libplain.so"])
    relative = build(bench, "relative", USES_COUNTER, ["./libplain.so"], cwd=bench.folder)
    expect(bench, "a plain library that is linked by a relative path", relative, ["libplain.so"], cwd=bench.folder)
    util = library_of(bench, "util.c", COUNTER)
    expect(bench, "a plain library with a name of the system's", build(bench, "util", USES_COUNTER, [util, *linked]),
           ["libutil.so"])
    cxx = library_of(bench, "cxx.cc", EXTERNAL, "g++")
    expect(bench, "a plain library of C++", build(bench, "cxx", USES_COUNTER, [cxx, *linked]),
           ["libcxx.so"])
    lock = library_of(bench, "lock.c", LOCK)
    expect(bench, "a lock in a plain library", build(bench, "lock", USES_LOCK, [lock, *linked]),
           ["liblock.so"], races=True)
    flag = library_of(bench, "flag.c", FLAG)
    expect(bench, "release and acquire in a plain library",
           build(bench, "flag", USES_FLAG, [flag, *linked]), ["libflag.so"], races=True)


def check_objects(bench):
    with_names = object_of(bench, "with_names.c", COUNTER, ["-g"])
    expect(bench, "a plain object", build(bench, "object", USES_COUNTER, [with_names]),
           ["with_names.c"])
    by_clang = object_of(bench, "by_clang.c", COUNTER, ["-g"], "clang")
    expect(bench, "a plain object, by clang",
           build(bench, "object-clang", USES_COUNTER, [by_clang], compiler="clang"), ["by_clang.c"])
    archive = bench.folder / "libstatic.a"
    bench.must(["ar", "rc", archive, object_of(bench, "bare.c", COUNTER, [])])
    expect(bench, "an archive without names", build(bench, "archive", USES_COUNTER, [archive]),
           ["add", "get"])
    written = bench.write("written.S", COUNTER_ASSEMBLER)
    expect(bench, "an assembler file", build(bench, "assembler", USES_COUNTER, [written]),
           ["assembler in add (written.S:5)", "assembler in get (written.S:11)"])
    bench.must(["gcc", "-c", "-o", bench.folder / "written.o", written])
    expect(bench, "an assembled file",
           build(bench, "assembled", USES_COUNTER, [bench.folder / "written.o"]), ["add", "get"])


def check_assembler(bench):
    for compiler in ("gcc", "clang"):
        for level in ("-O0", "-O2"):
            title = f"{compiler} {level}"
            moves = build(bench, f"moves{compiler}{level}", MOVES, [level], compiler=compiler)
            expect(bench, f"moves by inline assembler, {title}", moves, ["moves"])
            spin = build(bench, f"spin{compiler}{level}", SPIN, [level], compiler=compiler)
            expect(bench, f"a lock of inline assembler, {title}", spin, ["spin"], races=True)
    source, plain = bench.write("plain-tsan.c", SPIN), bench.folder / "plain-tsan"
    bench.must(["gcc", "-g", "-O1", "-fsanitize=thread", "-pthread", "-o", plain, source])
    expect(bench, "a lock of inline assembler, without bohr cc", plain, ["assembler in swap"],
           races=True)
    piped = build(bench, "piped", MOVES, ["-pipe"])
    expect(bench, "with -pipe", piped, ["piped"])


def check_seen(bench):
    for compiler in ("gcc", "clang"):
        for level in ("-O0", "-O2"):
            flags = [level, "-lm", "-lpthread"]
            expect(bench, f"libm, constants, barriers, {compiler} {level}",
                   build(bench, f"seen{compiler}{level}", SEEN, flags, compiler=compiler), [])
            expect(bench, f"libstdc++, {compiler} {level}",
                   build(bench, f"cxx{compiler}{level}", SEEN_CXX, [level], compiler=compiler), [])


def check_installed(bench):
    if pathlib.Path("/usr/include/zlib.h").exists():
        expect(bench, "libz", build(bench, "zip", ZIP, ["-lz"]), ["libz.so"])
    else:
        print("skip libz: zlib1g-dev is not installed")
    if shutil.which("pkg-config") and subprocess.run(["pkg-config", "--exists", "glib-2.0"]).returncode == 0:
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "glib-2.0"], text=True,
                               capture_output=True, check=True).stdout.split()
        expect(bench, "GLib's locks", build(bench, "glib", GLIB, flags), ["libglib-2.0.so"], races=True)
    else:
        print("skip GLib: libglib2.0-dev is not installed")


# Compilers do not instrument these: gcc none of the three, clang sees STREAM.
COPY = """
#include <pthread.h>
static char bytes[SIZE];
static void *work(void *a) { __builtin_memset(bytes, 1, sizeof bytes); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &t);
    work(0);
    pthread_join(t, 0);
    return bytes[0] > 1;
}
"""
STREAM = """
#include <emmintrin.h>
#include <pthread.h>
static int n, other;
static void *work(void *a)
{
    _mm_stream_si32(&n, a != 0);
    _mm_sfence();
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &t);
    other = 1;
    pthread_join(t, 0);
    return 0;
}
"""
# Instrumented, though the same instructions are used; what is on the own stack needs no hook.
COPY_SEEN = """
#include <pthread.h>
struct all { char bytes[4096]; };
static struct all a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum(struct all x) { return x.bytes[0] + x.bytes[4095]; }
static void *work(void *v)
{
    char own[4096] = {0};
    struct all c = {{1}};
    pthread_mutex_lock(&m);
    a = b;
    b = (struct all){{0}};
    own[sum(a) & 1] = 1;
    a = c;
    pthread_mutex_unlock(&m);
    return own[0] > 1 ? v : 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
"""
# Each way of making memory executable; the code adds one to what its argument points to.
MADE = """
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
static int n;
static void (*add)(int *);
static void *work(void *a) { add(&n); return a; }
int main(void)
{
    static const unsigned char code[] = {0x8b, 0x07, 0xff, 0xc0, 0x89, 0x07, 0xc3};
    int first = LATER ? PROT_READ | PROT_WRITE : PROT_READ | PROT_WRITE | PROT_EXEC;
    void *memory = mmap(0, 4096, first, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    memcpy(memory, code, sizeof code);
    if (LATER)
        assert(mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0);
    add = (void (*)(int *))memory;
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
"""


def check_copies(bench):
    plain = ["gcc", "-g", "-fsanitize=thread", "-pthread"]
    for level in ("-O0", "-O2"):
        for size in (48, 4096):
            program = bench.folder / f"copy{level}{size}"
            bench.must([*plain, level, f"-DSIZE={size}", "-o", program, bench.write("copy.c", COPY)])
            expect(bench, f"a builtin that gcc writes out, {level}, {size} bytes", program,
                   ["copying instructions in work (copy.c:4)"])
        program = bench.folder / f"copy-seen{level}"
        bench.must([*plain, level, "-o", program, bench.write("copy-seen.c", COPY_SEEN)])
        expect(bench, f"structures that gcc copies, {level}", program, [])
        expect(bench, f"a non-temporal store, gcc {level}", build(bench, f"stream{level}", STREAM, [level]),
               ["copying instructions in"])
        expect(bench, f"a non-temporal store, clang {level}",
               build(bench, f"stream-clang{level}", STREAM, [level], compiler="clang"), [])
    for later in (0, 1):
        expect(bench, "code made at run time" + (", by mprotect" if later else ""),
               build(bench, f"made{later}", MADE, [f"-DLATER={later}"]), ["code made at run time"])


GLIB = """
#include <assert.h>
#include <glib.h>
static GMutex mutex;
static int n;
static gpointer work(gpointer data)
{
    g_mutex_lock(&mutex);
    n++;
    g_mutex_unlock(&mutex);
    return data;
}
int main(void)
{
    GThread *thread = g_thread_new("other", work, NULL);
    work(NULL);
    g_thread_join(thread);
    assert(n == 2);
    return 0;
}
"""


def check(bench):
    check_libraries(bench)
    check_objects(bench)
    check_assembler(bench)
    check_seen(bench)
    check_copies(bench)
    check_installed(bench)


bench_run(check)
