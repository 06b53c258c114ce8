package stack

import (
	"strings"

	"jstall/threaddump"
)

// BarrierOf names a barrier: "barrier" for the usual one, "Phaser".
func BarrierOf(op Operation) string {
	if class := shortClass(op.Frame); class != "CyclicBarrier" {
		return class
	}
	return "barrier"
}

func shortClass(f *threaddump.Frame) string {
	return f.Class[strings.LastIndexByte(f.Class, '.')+1:]
}
