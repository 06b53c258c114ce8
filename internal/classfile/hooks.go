package classfile

import "slices"

// addHook registers a thread to run at the end of the program.
const addHook = "java.lang.Runtime.addShutdownHook"

// mayHook reports that a class registers threads to run at the end of the program, and that what the instruction
// at a place makes may be one, or be run by one: not if all of these are seen to be made elsewhere.
func (c *Class) mayHook(m *Method, at int) bool {
	for i := range c.Methods {
		of := &c.Methods[i]
		for call := range of.code {
			if of.code[call].member != addHook {
				continue
			}
			made := threadFor(of.code, call)
			if made < 0 || of == m && made <= at && at < call {
				return true
			}
		}
	}
	return false
}

// threadFor is where code makes the thread that a call is given, -1 if that is not seen.
func threadFor(code []instruction, call int) int {
	for at := call - 1; at >= 0; at-- {
		if code[at].code != newObject {
			continue
		}
		uses, known := usesOf(code, at)
		if known && len(uses) == 1 && uses[0].op == opKeepReference {
			uses, known = usesOfLocal(code, uses[0])
		}
		if known && slices.ContainsFunc(uses, func(u use) bool { return u.at == call }) {
			return at
		}
	}
	return -1
}
