// Package stack reads the stacks of threads of a HotSpot JVM.
//
//	code.go, nmethod.go     the code cache, compiled methods
//	scopes.go               inlining and monitors in compiled code
//	methods.go              methods, line numbers
//	sources.go              whether code and methods are still what they were
//	frames*.go              from frame to frame
//	processors.go           where frames of each processor have what
//	instructions.go         where a method that runs has its return address
//	snapshot.go, core.go    registers of threads: of a process by perf events, of a core file
//	samples.go              native and Java frames of a sample
package stack
