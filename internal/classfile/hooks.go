package classfile

import "slices"

// addHook registers a thread to run at the end of the program.
const addHook = "java.lang.Runtime.addShutdownHook"

// hook is where a method makes a thread, at from, and registers it to run at the end of the program, at to; from
// is -1 if it is not seen where that thread is made.
type hook struct {
	*Method
	from, to int
}

// mayHook reports that what the instruction at a place makes may be a thread that its class registers to run at the
// end of the program, or be run by one: not if all of these are seen to be made elsewhere.
func (a *Ahead) mayHook(c *Class, m *Method, at int) bool {
	hooks, known := a.hooks[c]
	if !known {
		hooks = c.hooks()
		a.hooks[c] = hooks
	}
	return slices.ContainsFunc(hooks, func(h hook) bool { return h.from < 0 || h.Method == m && h.from <= at && at < h.to })
}

// hooks are those of a class.
func (c *Class) hooks() (all []hook) {
	for i := range c.Methods {
		m := &c.Methods[i]
		for call := range m.code {
			if m.code[call].member == addHook {
				all = append(all, hook{m, threadFor(m.code, call), call})
			}
		}
	}
	return all
}

// threadFor is where code makes the thread that a call is given, -1 if that is not seen, not far before.
func threadFor(code []instruction, call int) int {
	for at := call - 1; at >= max(0, call-mostArguments); at-- {
		if code[at].code != newObject {
			continue
		}
		if uses, _, known := usesByLocal(code, at); known && slices.ContainsFunc(uses, func(u use) bool { return u.at == call }) {
			return at
		}
	}
	return -1
}
