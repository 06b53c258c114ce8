// Package analysis turns observations of one JVM over time into findings. It is
// pure and deterministic: no I/O, no clock, no socket; the same observations
// give the same report, byte by byte.
//
// # Where to find what
//
// The files in the order in which a datum passes them; a test keeps the list whole. Names
// with a star stand for all that begin so.
//
// What comes in, reduced to what later steps need:
// observation, machine, process, series, snapshot, sample, intern, match.
//
// What one stack says: whose code each frame is, what the thread is inside of, what runs it,
// what it waits for, and whether it has nothing to do (idle.tsv, frameworks.tsv):
// frame, packages, code, stack, operation, wait, idle, root; what the program's class files say
// beside: bytecode.
//
// The threads over the dumps: how each got on, stood still or used CPU, and what the counters
// and the kernel measured meanwhile:
// timeline, facts, history, progress, still, suspended, measures, neighbours, doers.
//
// Who waits for whom: owners as printed, concluded or carried over from a dump with -l, joins,
// tasks, and cycles of all these:
// graph, owners, carried_owners, misses_owners, self_holders, outer_lock, classinit, joins,
// awaited_tasks, cycle, cycles.
//
// Who works for whom: executors, who asks them, and who may bring what others wait for:
// pools, callers, pool_outsiders, gathering, keeper, borrowers, library_future, completers,
// polled_side, unaccepted, unread.
//
// The detectors, a file per kind of finding (see [Kind]), each with the files that serve it
// alone:
//
//   - deadlock: hidden_*, signal_behind, load_cycle, elsewhere
//   - pool_deadlock: homemade_pool, own_answers, client_callbacks
//   - jvm_unresponsive: silence*
//   - lock_contention: contention*, lent_out
//   - resource_exhausted: rate_limiter
//   - queue_full: queue_*, ring
//   - executor_saturated: client_write
//   - single_thread_blocked: shutdown, exit_in_task
//   - missed_signal: missed_*, deserted, lone_waiter, spent, stuck_tasks, completion_service,
//     replaced_workers
//   - virtual_pinned, for virtual_thread_pinned: virtual_pin*, virtual_keeper; what else is
//     looked for among virtual threads: virtual*
//   - spin: spin_*, polling
//   - hot_thread: hot_divided, fed_threads
//   - gc_pressure
//   - heap_growth: heap_ever
//   - thread_leak: thread_starter
//   - metaspace_growth
//   - io_wait: io_*, child_process, pipe*, subtasks
//   - cpu_starved
//   - jit_pressure
//   - limit_near: direct_memory
//
// What goes out: the findings in their order and what explains which, the verdict, rows and
// words, and two reports side by side:
// diagnose, explain, verdict, report, threads, waits_report, machine_report, warnings, phrase,
// text, strips, compare.
package analysis
