// Package jfr reads flight recordings, those of OpenJDK (format 1 of 8 up to 10, format 2 since) and of async-profiler,
// chunk by chunk: its memory is bound by the largest chunk.
//
// A [Reader] hands out chunks. A [Chunk] describes its own events ([Type], [Field]), has constants that events refer
// to, and [Chunk.Events] visits its events in the order of the file, which is not that of time. Fields are read by a
// [Visitor] as they come, or as a [Value] by name, constants looked up.
//
// Whatever a file claims, it cannot take much more memory than it has bytes, or more time than its bytes explain:
// errors wrap [ErrCut], [ErrForged] or [ErrUnusual].
package jfr
