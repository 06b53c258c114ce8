package live

// Fork is a source for other readings of the same JVM over the same connection.
func (l *Source) Fork() *Source {
	other := &Source{Kernel: l.Kernel, Process: l.Process, Timeout: l.Timeout}
	other.Asker().client = l.Asker().attachClient()
	return other
}
