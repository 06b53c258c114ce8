// Package vm reads what a HotSpot JVM is below its objects: memory of a process or a core file, the tables that
// libjvm.so exports, flags, and the list of threads.
//
//	memory.go                     pages that are kept, copies that are compared, bounds
//	process_linux.go, pieces*.go  memory of a process; many pieces with one system call
//	core.go                       memory of a core file
//	symbols.go, tables.go         the tables in the memory of libjvm.so; its file is not opened
//	types.go, layout*.go          what is needed of them
//	jvm.go, reader.go             a JVM whose tables were read, and one reading of it
//	threads.go                    the list of threads
//	stream.go                     numbers in few bytes, as HotSpot writes them
package vm
