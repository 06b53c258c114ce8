package threaddump

import "bytes"

// ownedBy reads `owned by "svc-2" Id=13` on a separate line.
func (s *infoDump) ownedBy(text []byte) {
	owner, name := ownerIn(text), s.in.string(ownerNameIn(text))
	for i := range s.locks {
		if s.locks[i].Op == Parking {
			s.locks[i].Owner, s.locks[i].OwnerName = owner, name
		}
	}
}

// infoLock reads a line of a lock after its "- ".
func (s *infoDump) infoLock(text []byte) {
	l, ok := objectIn(text, s.in)
	if !ok {
		return
	}
	l.Line, l.Depth = s.lineNo(), len(s.frames)-1
	switch {
	case s.section == inSynchronizers:
		l.Op, l.Depth = OwnsSynchronizer, -1
	case s.section == inNativeMonitors: // the frames have them too
		return
	case bytes.HasPrefix(text, []byte("locked")):
		if len(s.frames) == 0 {
			return // the object that is waited for, said once more
		}
		l.Op, l.Blocks = Locked, blockedBy(text)
	default:
		l.Owner, l.OwnerName = ownerIn(text), s.in.string(ownerNameIn(text))
		s.wants(l)
		return
	}
	s.locks = append(s.locks, l)
	s.boundThread(0, len(s.locks))
}

// objectIn finds the object in a line of a lock, in one of the forms
//
//	com.acme.Account@1b2c6ec2
//	(a com.acme.Account@17ed40e0)
//	<0x4d76f3f8> (a java.util.TaskQueue)
func objectIn(text []byte, in *Interner) (l Lock, ok bool) {
	if i := bytes.IndexByte(text, '<'); i >= 0 {
		end := bytes.IndexByte(text[i:], '>')
		if end > 0 {
			if l.Address, ok = parseBareAddress(text[i+1 : i+end]); ok {
				_, class, _ := bytes.Cut(text[i+end:], []byte("(a "))
				class, _, _ = bytes.Cut(class, []byte(")"))
				l.Class = in.string(class)
				return l, true
			}
		}
	}
	for word := range bytes.FieldsSeq(text) {
		word = bytes.Trim(word, "(),")
		if class, hash, found := cutIdentity(word); found && len(class) > 0 && class[0] != '@' {
			l.Class, l.Address = in.string(class), hash
			return l, true
		}
	}
	return l, false
}

// ownerIn is the id in ` owned by "svc-2" Id=13`, zero otherwise.
func ownerIn(text []byte) int64 {
	_, rest, ok := bytes.Cut(text, []byte("owned by "))
	if !ok {
		return 0
	}
	for _, key := range [...]string{" Id=", " id=", " t@", " #"} {
		if i := bytes.LastIndex(rest, []byte(key)); i >= 0 {
			digits := rest[i+len(key):]
			id, _ := parseInt(digits[:spanOf(digits, isDigit)])
			return id
		}
	}
	return 0
}

// ownerNameIn is the name in ` owned by "svc-2" Id=13`, empty otherwise.
func ownerNameIn(text []byte) []byte {
	_, rest, ok := bytes.Cut(text, []byte("owned by "))
	if !ok {
		return nil
	}
	for _, key := range [...]string{" Id=", " id=", " t@", " #"} {
		if i := bytes.LastIndex(rest, []byte(key)); i >= 0 {
			name, _ := bytes.CutPrefix(bytes.TrimSpace(rest[:i]), []byte(`"`))
			return bytes.TrimSuffix(name, []byte(`"`))
		}
	}
	return nil
}

// blockedBy is the count in ` <---- but blocks 5 other threads!`, with which Arthas marks the
// lock that most threads wait for; zero otherwise.
func blockedBy(text []byte) int {
	_, rest, ok := bytes.Cut(text, []byte("<---- but blocks "))
	if !ok {
		return 0
	}
	n, _ := parseInt(rest[:spanOf(rest, isDigit)])
	return int(n)
}
