package vthread

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// heads reads the objects of virtual threads. Addresses at which there is no virtual thread are left out. What it
// returns is right until the next call.
func (r *reader) heads(at []found) []Thread {
	r.reuse()
	l := r.layout
	addresses := make([]uint64, len(at))
	for i := range at {
		addresses[i] = at[i].at
	}
	objects := r.objects(addresses, l.threadSize)
	threads := r.threads[:0]
	for i := range at {
		b := objects.of(i)
		class := uint64(0)
		if objects.ok[i] {
			class = r.jvm.ClassIn(b)
		}
		switch class {
		case l.virtual:
			t := r.head(objects.at[i], b)
			t.Container = at[i].container
			threads = append(threads, t)
		case l.bound: // a platform thread with the interface of a virtual one
		default:
			r.strayed++
		}
	}
	r.threads = threads
	return threads
}

func (r *reader) head(at uint64, b []byte) Thread {
	l := r.layout
	t := Thread{Object: at, ID: int64(wordIn(b, l.id)), Stack: -1, raw: int32(intIn(b, l.state))}
	t.State = l.states[int(t.raw)&^l.suspended]
	t.continuation, t.Carrier = r.reference(b, l.continuation), r.reference(b, l.carrier)
	t.Blocker, t.name, t.scopes = r.reference(b, l.blocker), r.reference(b, l.name), r.reference(b, l.scopes)
	if l.waiter != 0 {
		t.Waiter = wordIn(b, l.waiter)
	}
	return t
}

const (
	// usualName is how much of the array of a name is read at first, in bytes.
	usualName = 64
	// longestName bounds a name, in bytes.
	longestName = 1 << 20
)

// readNames reads strings in bulk: the objects, then the arrays with the first characters, then what is longer. The
// memory behind a short array may not be mapped: of such an array the length is read first.
func (r *reader) readNames(threads []*Thread) {
	r.reuse()
	var named []*Thread
	var strings []uint64
	for _, t := range threads {
		if t.name != 0 {
			named, strings = append(named, t), append(strings, t.name)
		}
	}
	l := r.layout
	objects := r.objects(strings, l.stringSize)
	arrays := make([]uint64, len(strings))
	for i := range strings {
		if objects.ok[i] {
			arrays[i] = r.reference(objects.of(i), l.value)
		}
	}
	texts := r.objects(arrays, usualName)
	var last []*Thread
	var lastArrays []uint64
	var latin1 []bool
	for i, t := range named {
		isLatin1 := objects.of(i)[l.coder] == 0
		if texts.ok[i] {
			r.name(t, texts, i, isLatin1)
		} else {
			last, lastArrays, latin1 = append(last, t), append(lastArrays, arrays[i]), append(latin1, isLatin1)
		}
	}
	const lengthSize = 4
	heads := r.objects(lastArrays, int(r.jvm.ArrayLength())+lengthSize)
	for i, t := range last {
		r.name(t, heads, i, latin1[i])
	}
}

// name gives a thread its name, of whose array the beginning was read.
func (r *reader) name(t *Thread, arrays *batch, i int, latin1 bool) {
	text, ok := "", false
	if arrays.ok[i] {
		text, ok = r.decode(arrays.of(i), arrays.at[i], latin1)
	}
	t.Name, t.Unnamed = text, !ok
}

// decode is the text in an array of bytes, of which the beginning was read. It is false if it cannot be read.
func (r *reader) decode(array []byte, at uint64, latin1 bool) (string, bool) {
	first := int(r.jvm.FirstElement(r.jvm.ClassIn(array)))
	length := intIn(array, r.jvm.ArrayLength())
	if length < 0 || length > longestName || first >= usualName {
		return "", false
	}
	if r.namesLeft -= length; r.namesLeft < 0 {
		r.exceeded = tooMuch
		return "", false
	}
	text := array[min(first, len(array)):]
	if length > len(text) {
		text = make([]byte, length)
		pieces := []vm.Piece{{At: at + uint64(first), Bytes: text}}
		if r.read(pieces); !pieces[0].OK {
			return "", false
		}
	}
	text = text[:length]
	if latin1 {
		return fromLatin1(text), true
	}
	units := make([]uint16, length/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(text[2*i:])
	}
	return string(utf16.Decode(units)), true
}

func fromLatin1(text []byte) string {
	for _, c := range text {
		if c >= 0x80 {
			runes := make([]rune, len(text))
			for i, c := range text {
				runes[i] = rune(c)
			}
			return string(runes)
		}
	}
	return string(text)
}
