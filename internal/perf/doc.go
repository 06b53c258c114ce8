// Package perf samples threads by perf_event_open(2): the kernel notes the registers of a thread that runs, and a
// copy of its stack from the same moment. Nothing is stopped, and nothing is sent to the process.
//
//	record.go       records of a ring buffer to samples; pure
//	event_linux.go  one event: a thread, its ring buffer
//
// An event counts the time that its thread runs in user space (PERF_COUNT_SW_TASK_CLOCK), which every machine
// has, virtual ones too. kernel.perf_event_paranoid must be 2 or lower, or the caller needs CAP_PERFMON. Each
// event locks its buffer in memory: without CAP_IPC_LOCK the limit is kernel.perf_event_mlock_kb.
package perf
