#include "textflag.h"
#include "entry.h"

// entry is where the kernel begins, before Go's runtime: see entry.go.
//
// R19 counts the tasks above this one, 0 in the process itself. The word at 24(R20), which
// they all share, tells that one could not be started. A limit is read to 0(R20), the one that
// holds, and 8(R20), the one that Go's runtime raises it to.
TEXT ·entry(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVD RSP, R20
	SUB  $32, R20
	MOVD $261, R8 // prlimit64
	MOVD $0, R0
	MOVD $RLIMIT_NOFILE, R1
	MOVD $0, R2
	MOVD R20, R3
	SVC
	MOVD 8(R20), R4
	MOVD $LEAST_FILES, R5
	CMP  R5, R4
	BLO  files
	MOVD $261, R8 // prlimit64
	MOVD $0, R0
	MOVD $RLIMIT_DATA, R1
	MOVD $0, R2
	MOVD R20, R3
	SVC
	MOVD 0(R20), R4
	MOVD $LEAST_DATA, R5
	CMP  R5, R4
	BLO  space
	MOVD $261, R8 // prlimit64
	MOVD $0, R0
	MOVD $RLIMIT_AS, R1
	MOVD $0, R2
	MOVD R20, R3
	SVC
	MOVD 0(R20), R4
	MOVD $LEAST_SPACE, R5
	CMP  R5, R4
	BLO  space
	MOVD $0, R19
	MOVD ZR, 24(R20)

start:
	MOVD $220, R8 // clone
	MOVD $FLAGS, R0
	MOVD $0, R1
	MOVD $0, R2
	MOVD $0, R3
	MOVD $0, R4
	SVC
	CMP  $0, R0
	BLT  failed
	BNE  started
	ADD  $1, R19
	CMP  $LEAST_TASKS, R19
	BLT  start

leave:
	MOVD $93, R8 // exit
	MOVD $0, R0
	SVC

failed:
	MOVD $1, R4
	MOVD R4, 24(R20)
	B    back

started:
	MOVD $260, R8 // wait4 of the task in R0
	MOVD $0, R1
	MOVD $ANY_CHILD, R2
	MOVD $0, R3
	SVC

back:
	CBNZ R19, leave
	MOVD 24(R20), R4
	CBNZ R4, tasks
	B    _rt0_arm64_linux(SB)

tasks:
	MOVD ·noTasks+0(SB), R1
	MOVD ·noTasks+8(SB), R2
	B    refuse

files:
	MOVD ·noFiles+0(SB), R1
	MOVD ·noFiles+8(SB), R2
	B    refuse

space:
	MOVD ·noSpace+0(SB), R1
	MOVD ·noSpace+8(SB), R2

refuse:
	MOVD $64, R8 // write
	MOVD $2, R0
	SVC
	MOVD $94, R8 // exit_group
	MOVD $1, R0
	SVC
	UNDEF
