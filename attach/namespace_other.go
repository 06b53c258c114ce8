//go:build !linux

package attach

// ForeignProc is empty: there is no /proc.
func ForeignProc(Proc) string { return "" }
