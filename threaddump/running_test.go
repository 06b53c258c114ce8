package threaddump_test

import (
	"testing"

	"github.com/jstall/jstall/threaddump"
)

// TestStackFromRegisters reads what jstall says of a thread that ran when it was read from memory.
func TestStackFromRegisters(t *testing.T) {
	dumps, err := threaddump.Parse([]byte(`2026-11-28 12:00:00
Full thread dump OpenJDK 64-Bit Server VM (21.0.1+12 mixed mode):

"busy" #30 [77] prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f0000001000 nid=77 runnable  [0x00007f0000002000]
   java.lang.Thread.State: RUNNABLE
   Stack from registers: the place is approximate
	at Busy.loop(Busy.java:3)
   Rest of the stack unknown: the stack has no end

JNI global refs: unknown

`))
	if err != nil || len(dumps) != 1 || len(dumps[0].Threads) != 1 || len(dumps[0].Problems) != 0 {
		t.Fatalf("%+v, %v", dumps, err)
	}
	busy := dumps[0].Threads[0]
	if busy.Approximate != "the place is approximate" || busy.Unread != "the stack has no end" || len(busy.Stack) != 1 {
		t.Errorf("%+v", busy)
	}
}
