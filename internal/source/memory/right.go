package memory

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/kernel"
)

// memoryCheck is the name of the check on the right to read the target's memory.
const memoryCheck = "read memory"

// Right checks whether the target's memory may be read, and if not which right is missing and the line that grants it.
// It reads a word of memory and nothing else.
func (l *Reader) Right() attach.Check {
	check := attach.Check{Name: memoryCheck, Result: attach.NotOK}
	if foreign := attach.ForeignProc(l.Kernel); foreign != "" {
		check.Detail, check.Remedy = foreign, attach.ShareNamespace
		return check
	}
	switch err := kernel.MayRead(l.Kernel, l.Process.PID); {
	case err == nil:
		check.Result = attach.OK
		check.Detail = "its memory can be read: jstall sees stacks and locks even if the JVM does not answer"
	case kernel.MayReadSelf() != nil:
		check.Detail = "a seccomp filter forbids jstall process_vm_readv(2)"
		check.Remedy = "docker run --security-opt seccomp=unconfined …, or in Kubernetes securityContext: " +
			"{seccompProfile: {type: Unconfined}} for jstall's container"
	default:
		check.Err = err
		check.Detail, check.Remedy = l.missingRight(err)
	}
	return check
}

// missingRight compares ids, capabilities and namespaces, and reads the setting of Yama, in the order in which the
// kernel checks them (__ptrace_may_access, kernel/ptrace.c; yama_ptrace_access_check, security/yama/yama_lsm.c).
func (l *Reader) missingRight(err error) (detail, remedy string) {
	pid := l.Process.PID
	us, errSelf := l.Kernel.Self()
	text, errTarget := l.Kernel.ReadFile(pid, "status")
	them, errParse := kernel.ParseStatus(text)
	if errors.Join(errSelf, errTarget, errParse) != nil {
		return fmt.Sprintf("its memory cannot be read: %v", err), ""
	}
	capable, scope := us.Has(kernel.CapSysPtrace), yamaScope()
	switch {
	case capable && scope != "3":
		return "the kernel forbids it though jstall has CAP_SYS_PTRACE: the JVM may run in another user namespace, " +
			"or a security module forbids it", attach.EnterProcess(pid)
	case scope == "3":
		return "kernel.yama.ptrace_scope is 3: no process may read the memory of another",
			"write kernel.yama.ptrace_scope=1 to a file in /etc/sysctl.d, and restart the machine"
	case us.UID.Effective == 0:
		return "root lacks CAP_SYS_PTRACE here", attach.AddPtrace
	case us.UID.Real != them.UID.Effective || us.GID.Real != them.GID.Effective:
		return fmt.Sprintf("it runs as uid %d, gid %d, and jstall as uid %d, gid %d without CAP_SYS_PTRACE",
			them.UID.Effective, them.GID.Effective, us.UID.Real, us.GID.Real), attach.RunAsRoot
	case scope == "1", scope == "2":
		return "kernel.yama.ptrace_scope is " + scope + ": only a process with CAP_SYS_PTRACE may read its memory",
			attach.RunAsRoot + ", or sysctl -w kernel.yama.ptrace_scope=0"
	}
	return "it has capabilities that jstall lacks, or changed its ids when it started", attach.RunAsRoot
}

// yamaScope is the setting kernel.yama.ptrace_scope, empty on a kernel without Yama.
func yamaScope() string {
	text, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
