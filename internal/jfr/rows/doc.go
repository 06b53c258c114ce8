// Package rows flattens the events of flight recordings into rows with stable columns.
//
// Each field of an event becomes one [Column] or several, named by the path of fields with dots: "duration",
// "eventThread.javaName", "heapSpace.start". What has one field only, as a symbol or the name of a collector, is
// that field. Types of the JVM with a usual notation are texts: a class ("java.lang.String[]"), a class loader
// (its name, else its class), a method ("java.util.HashMap.get", with ".descriptor"), a group of threads. A
// stack trace has ".top", ".frames" ("java.util.HashMap.get:560", the innermost first) and ".truncated". An array
// is a list. A type within itself, as the group of a group, has no column.
//
// Times are RFC 3339 in UTC with nanoseconds, timespans whole nanoseconds. Null are: a timespan or timestamp that
// is the smallest long, as the JVM writes "none"; NaN and infinity; a constant that the chunk lacks.
//
// [Read] goes through a file once and hands each row to a [Sink]: rows are in the order of the file, which is not
// that of time, and memory is bound by the largest chunk. [Survey] lists beforehand which events a file has, with
// their columns.
package rows
