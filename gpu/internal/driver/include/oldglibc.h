/*
Names of glibc in the versions that they had before 2.34 made one library of several, so that a
release that is built on a new Linux runs on an old one, as those of clusters are. Included before
all C code of a release (gcc -include), and linked with --wrap=__libc_start_main.

The start is wrapped because the compiler's own crt1.o asks for that of 2.34. An old glibc has the
program run what stands in its .init_array, a new one does so when it is told to.
*/
#if defined(__linux__) && defined(__x86_64__) && !defined(__ASSEMBLER__) && !defined(METALAB_OLD)
#define METALAB_OLD(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
METALAB_OLD(pthread_create);
METALAB_OLD(pthread_once);
METALAB_OLD(pthread_key_create);
METALAB_OLD(pthread_setspecific);
METALAB_OLD(pthread_attr_getstack);
METALAB_OLD(pthread_attr_getstacksize);
METALAB_OLD(pthread_getattr_np);
METALAB_OLD(pthread_sigmask);
METALAB_OLD(dlopen);
METALAB_OLD(dlsym);
METALAB_OLD(dlerror);
__asm__(".symver metalab_old_start,__libc_start_main@GLIBC_2.2.5");

typedef void metalab_start(int, char **, char **);

extern int metalab_old_start(int (*)(int, char **, char **), int, char **, metalab_start *,
                             void (*)(void), void (*)(void), void *);
extern metalab_start *__init_array_start[] __attribute__((weak, visibility("hidden")));
extern metalab_start *__init_array_end[] __attribute__((weak, visibility("hidden")));

static void metalab_init(int argc, char **argv, char **env) {
    for (metalab_start **f = __init_array_start; f < __init_array_end; f++) (*f)(argc, argv, env);
}

__attribute__((weak)) int __wrap___libc_start_main(int (*main)(int, char **, char **), int argc,
                                                   char **argv, void (*init)(void),
                                                   void (*fini)(void), void (*rtld_fini)(void),
                                                   void *stack_end) {
    (void)init;
    (void)fini;
    return metalab_old_start(main, argc, argv, metalab_init, 0, rtld_fini, stack_end);
}
#endif
