// rawattach PID [COMMAND [ARGUMENT...]]: the least that a client of HotSpot's attach protocol, version 1, can do.
// It asks for "threaddump" by default, reads the whole answer into memory and writes it out. It checks nothing, and it
// kills a process that is no JVM: it is a measure for speed, not a tool.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int dial(const char *pid) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.java_pid%s", pid);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

static int attach(const char *pid) {
    int fd = dial(pid);
    if (fd >= 0) return fd;
    char trigger[64];
    snprintf(trigger, sizeof trigger, "/proc/%s/cwd/.attach_pid%s", pid, pid);
    close(open(trigger, O_CREAT | O_WRONLY, 0600));
    kill(atoi(pid), SIGQUIT);
    for (int ms = 0; ms < 10000 && (fd = dial(pid)) < 0; ms++) usleep(1000);
    unlink(trigger);
    return fd;
}

static size_t request(char *to, size_t size, int argc, char **argv) {
    size_t n = 0;
    const char *words[5] = {"1", "threaddump", "", "", ""};
    for (int i = 2; i < argc && i < 6; i++) words[i - 1] = argv[i];
    for (int i = 0; i < 5; i++) n += snprintf(to + n, size - n, "%s", words[i]) + 1;
    return n;
}

int main(int argc, char **argv) {
    char asked[4096];
    if (argc < 2) return 64;
    int fd = attach(argv[1]);
    size_t n = request(asked, sizeof asked, argc, argv), room = 1 << 20, have = 0;
    if (fd < 0 || write(fd, asked, n) != (ssize_t)n) return 1;
    char *answer = malloc(room);
    ssize_t got;
    while (answer && (got = read(fd, answer + have, room - have)) > 0) {
        have += got;
        if (have == room) answer = realloc(answer, room *= 2);
    }
    for (size_t out = 0; out < have;) {
        ssize_t w = write(1, answer + out, have - out);
        if (w <= 0) return 1;
        out += w;
    }
    return have == 0;
}
