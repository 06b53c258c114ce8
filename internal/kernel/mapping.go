package kernel

// Mapping is a piece of a process's memory that shows a file.
type Mapping struct {
	// Start and End are its addresses.
	Start, End         uint64
	Executable, Shared bool
	// File is the file's path in the process's own mount namespace, with
	// " (deleted)" after it where the file is no more. It is valid until the
	// next mapping.
	File []byte
}
