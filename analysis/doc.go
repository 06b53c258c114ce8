// Package analysis turns observations of one JVM over time into findings. It is
// pure and deterministic: no I/O, no clock, no socket; the same observations
// give the same report, byte by byte.
//
// # Where to find what
//
// The files, in the order in which a datum passes them; a star stands for all that begin so.
// A test keeps the list whole.
//
//   - What comes in, reduced to what later steps need: observation, machine, process, series,
//     snapshot, sample, intern, match
//   - What one stack says, whose code each frame is, what the thread is inside of, what runs it,
//     what it waits for, and whether it has nothing to do (idle.tsv, frameworks.tsv): frame,
//     packages, code, stack, operation, wait, idle, listener, root
//   - The threads over the dumps, how each got on, stood still or used CPU, and what counters and
//     kernel measured meanwhile: timeline, facts, history, progress, still, suspended, measures,
//     neighbours, top_threads
//   - Who waits for whom, by owners as printed, concluded or carried over from a dump with -l,
//     joins, tasks, and cycles of all these: graph, owners, carried_owners, misses_owners,
//     outer_lock, classinit, joins, awaited_tasks, own_tasks, cycle, cycles, cycle_index
//   - Who works for whom, executors, who asks them, and who may bring what others wait for: pools,
//     callers, callers_index, server_loops, gathering, in_the_middle, borrowers, library_future, completers,
//     polled_side, unheard
//   - The detectors, a file per [Kind], each with those that serve it alone, from here on:
//     deadlock, hidden_*, load_cycle, elsewhere
//   - Executors that wait for themselves: pool_deadlock, pool_evidence, own_answers, client_callbacks
//   - JVMs that do not answer: jvm_unresponsive, silence*
//   - Locks, permits and queues: lock_contention, lock_one_dump, lock_counted, lock_unnamed, same_call,
//     pool_names, thread_leak_by_age, contention*, lent_out, task_behind,
//     resource_exhausted, exhausted_words, standbys, rate_limiter, dispatcher, queue_*, ring
//   - Workers and lone threads: executor_saturated, saturated_words, executor_standstill, client_write,
//     single_thread_blocked, shutdown, exit_in_task
//   - Signals that do not come: missed_signal
//   - Virtual threads, pinned ones and what else is looked for among them: virtual*
//   - CPU: spin, spin_*, polling, hot_thread, backtracking, hot_divided, fed_threads, cpu_starved, jit_pressure
//   - Memory, classes, threads and limits: gc_pressure, gc_since_start, heap_growth, heap_ever, heap_fillers, metaspace_growth,
//     thread_leak, thread_starter, limit_near, direct_memory
//   - I/O: io_*, child_process, pipe*, subtasks
//   - What goes out, the findings in their order and what explains which, the verdict, rows and
//     words, and two reports side by side: diagnose, explain, explain_index, verdict, report, threads,
//     waits_report, machine_report, warnings, phrase, text, strips, compare, observer
package analysis
