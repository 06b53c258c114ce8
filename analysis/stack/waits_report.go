package stack

// Awaited is what ends an operation, empty if the operation does not tell.
func (k OpKind) Awaited() string {
	words := [...]string{
		OpLock: "ownable synchronizer", OpReadLock: "ownable synchronizer", OpPermit: "permit",
		OpPut: "queue space", OpTake: "queue item", OpExchange: "exchange", OpResult: "result",
		OpLatch: "latch", OpBarrier: "barrier", OpCondition: "condition", OpNotify: "notification",
		OpJoin: "thread end", OpTermination: "executor end", OpProcess: "process end",
		OpSleep: "time", OpPark: "unpark", OpSelect: "network",
		OpAccept: "connection", OpConnect: "connection", OpRead: "input", OpWrite: "output", OpFileLock: "file lock", OpOpen: "file",
	}
	if int(k) >= len(words) {
		return ""
	}
	return words[k]
}

// Awaited is what ends a wait of which no operation is known.
func (k WaitKind) Awaited() string {
	words := [...]string{
		WaitNotify: "notification", WaitPermit: "permit", WaitCondition: "condition", WaitSignal: "signal",
		WaitFuture: "result", WaitHandoff: "exchange", WaitPark: "unpark", WaitSleep: "time",
		WaitIO: "input or output", WaitSelect: "network",
	}
	if int(k) >= len(words) {
		return ""
	}
	return words[k]
}
