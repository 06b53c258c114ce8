#include "textflag.h"
#include "entry.h"

// entry is where the kernel begins, before Go's runtime: see entry.go.
//
// R12 counts the tasks above this one, 0 in the process itself. The word at -8(SP), which
// they all share, tells that one could not be started. A limit is read to -32(SP), the one
// that holds, and -24(SP), the one that Go's runtime raises it to.
TEXT ·entry(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVQ $302, AX // prlimit64
	MOVQ $0, DI
	MOVQ $RLIMIT_NOFILE, SI
	MOVQ $0, DX
	LEAQ -32(SP), R10
	SYSCALL
	CMPQ -24(SP), $LEAST_FILES
	JCS  files
	MOVQ $302, AX // prlimit64
	MOVQ $0, DI
	MOVQ $RLIMIT_DATA, SI
	MOVQ $0, DX
	LEAQ -32(SP), R10
	SYSCALL
	CMPQ -32(SP), $LEAST_DATA
	JCS  space
	MOVQ $302, AX // prlimit64
	MOVQ $0, DI
	MOVQ $RLIMIT_AS, SI
	MOVQ $0, DX
	LEAQ -32(SP), R10
	SYSCALL
	CMPQ -32(SP), $LEAST_SPACE
	JCS  space
	MOVQ $0, R12
	MOVQ $0, -8(SP)

start:
	MOVQ $56, AX // clone
	MOVQ $FLAGS, DI
	MOVQ $0, SI
	MOVQ $0, DX
	MOVQ $0, R10
	MOVQ $0, R8
	SYSCALL
	CMPQ AX, $0
	JLT  failed
	JNE  started
	INCQ R12
	CMPQ R12, $LEAST_TASKS
	JLT  start

leave:
	MOVQ $60, AX // exit
	MOVQ $0, DI
	SYSCALL

failed:
	MOVQ $1, -8(SP)
	JMP  back

started:
	MOVQ AX, DI
	MOVQ $61, AX // wait4
	MOVQ $0, SI
	MOVQ $ANY_CHILD, DX
	MOVQ $0, R10
	SYSCALL

back:
	CMPQ R12, $0
	JNE  leave
	CMPQ -8(SP), $0
	JNE  tasks
	JMP  _rt0_amd64_linux(SB)

tasks:
	MOVQ ·noTasks+0(SB), SI
	MOVQ ·noTasks+8(SB), DX
	JMP  refuse

files:
	MOVQ ·noFiles+0(SB), SI
	MOVQ ·noFiles+8(SB), DX
	JMP  refuse

space:
	MOVQ ·noSpace+0(SB), SI
	MOVQ ·noSpace+8(SB), DX

refuse:
	MOVQ $1, AX // write
	MOVQ $2, DI
	SYSCALL
	MOVQ $231, AX // exit_group
	MOVQ $1, DI
	SYSCALL
	INT  $3
