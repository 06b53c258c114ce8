// Package unwind walks over the native frames of a stack: by the call frame information that compilers write for
// exceptions (.eh_frame), as it is in the memory of the process. Frame pointers are not needed. It gives functions
// their names by the symbols of the file.
//
//	module.go      the ELF files that are mapped, and where they have what
//	frame_info.go  entries of .eh_frame: what describes an address
//	rules.go       the instructions of an entry: where a frame has the registers of its caller
//	expression.go  the few operations of DWARF expressions that these use
//	function.go    the name of the function that an address is in
//	symbols.go     functions in the order of their addresses; symbol_table.go those of a file, kernel_symbols.go the
//	               kernel's
//
// Sources: the DWARF 5 standard, section 6.4; the Linux Standard Base, "Exception Frames"; the System V ABI of x86-64
// and of aarch64 for the numbers of registers. All that is read is hostile: lengths are bounded, and what does not
// fit is no description.
package unwind
