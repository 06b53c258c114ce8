// What entry wants: see entry.go.
#define LEAST_TASKS 12
#define LEAST_FILES 16
#define LEAST_DATA 0x10000000
#define LEAST_SPACE 0x7fff0000

#define RLIMIT_DATA 2
#define RLIMIT_NOFILE 7
#define RLIMIT_AS 9

// CLONE_VFORK | CLONE_VM | SIGCHLD
#define FLAGS 0x4111
// __WALL
#define ANY_CHILD 0x40000000
