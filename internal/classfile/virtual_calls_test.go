package classfile

import (
	"fmt"
	"testing"
)

// Interfaces that all extend each other, as no compiler makes them, are gone through once each.
func TestInterfacesInCirclesAreBounded(t *testing.T) {
	const many = 60
	var names []string
	for i := range many {
		names = append(names, fmt.Sprintf("shop.I%d", i))
	}
	call := instruction{code: invokeinterface, op: opCall, member: "shop.Other.go", descriptor: "()V"}
	classes := []*Class{{Name: "shop.Other"}}
	for _, name := range names {
		classes = append(classes, &Class{Name: name, super: names[0], interfaces: names, Methods: []Method{{Name: "go", descriptor: "()V", code: []instruction{call}}}})
	}
	p := newProgram(classes)
	if !p.isA(names[1], names[many-1]) || p.isA(names[1], "shop.Other") {
		t.Error("what the interfaces are is not known")
	}
	if len(p.bodies) > 0 {
		t.Errorf("a call may run %d of them", len(p.bodies))
	}
}
