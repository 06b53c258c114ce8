package jvm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// counter is one entry of hsperfdata: a number, or a text.
type counter struct {
	name string
	// number is the value of a number, and 0 for a text.
	number int64
	// text is the value of a text without what follows its NUL.
	text   string
	isText bool
}

// PerfData is the content of one hsperfdata file. As the JVM writes its counters while they are read, two of them need
// not be of the same time.
type PerfData struct {
	counters map[string]counter
}

// errPerfDataNotReady means that the JVM is still making its counters.
var errPerfDataNotReady = errors.New("hsperfdata: the JVM is still making its counters")

// prologue is hotspot's PerfDataPrologue; the magic is big-endian on every machine, the rest in the byte order that the
// fifth byte gives.
const (
	perfMagic        = 0xcafec0c0
	perfPrologueSize = 32
	perfEntrySize    = 20
	perfMajor        = 2
)

// ParsePerfData reads an hsperfdata file as JDK 8 to 28 write it. It does not trust any length and offset in it. After
// an error it also returns the counters before the damage.
func ParsePerfData(data []byte) (*PerfData, error) {
	if len(data) < perfPrologueSize {
		return nil, fmt.Errorf("hsperfdata: %d bytes are too few", len(data))
	}
	if magic := binary.BigEndian.Uint32(data); magic != perfMagic {
		return nil, fmt.Errorf("hsperfdata: begins with %#08x, not %#x", magic, perfMagic)
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[4] == 1 {
		order = binary.LittleEndian
	} else if data[4] != 0 {
		return nil, fmt.Errorf("hsperfdata: byte order %d is neither 0 nor 1", data[4])
	}
	if data[5] != perfMajor {
		return nil, fmt.Errorf("hsperfdata: format %d.%d, not %d", data[5], data[6], perfMajor)
	}
	d := &PerfData{counters: map[string]counter{}}
	if data[7] == 0 {
		return d, errPerfDataNotReady
	}
	return d, d.readEntries(data, order)
}

// readEntries follows the chain of entries. Each entry has its own length, so the chain always advances and ends.
func (d *PerfData) readEntries(data []byte, order binary.ByteOrder) error {
	at := int64(int32(order.Uint32(data[24:])))
	count := int64(int32(order.Uint32(data[28:])))
	if at < perfPrologueSize || count < 0 {
		return fmt.Errorf("hsperfdata: %d entries from byte %d", count, at)
	}
	d.counters = make(map[string]counter, min(count, int64(len(data)/perfEntrySize)))
	for n := range count {
		if at+perfEntrySize > int64(len(data)) {
			return fmt.Errorf("hsperfdata: entry %d of %d begins at byte %d of %d", n, count, at, len(data))
		}
		length := int64(int32(order.Uint32(data[at:])))
		if length < perfEntrySize || at+length > int64(len(data)) {
			return fmt.Errorf("hsperfdata: entry %d at byte %d of %d claims %d bytes", n, at, len(data), length)
		}
		c, err := readCounter(data[at:at+length], order)
		if err != nil {
			return fmt.Errorf("hsperfdata: entry %d at byte %d: %w", n, at, err)
		}
		d.counters[c.name] = c
		at += length
	}
	return nil
}

// readCounter reads one PerfDataEntry: lengths and offsets, type, flags, unit and variability, then name and value. For
// unknown types (arrays of numbers; HotSpot makes none) it keeps only the name.
func readCounter(entry []byte, order binary.ByteOrder) (counter, error) {
	name, err := cString(entry, int64(int32(order.Uint32(entry[4:]))), int64(len(entry)))
	if err != nil {
		return counter{}, fmt.Errorf("name: %w", err)
	}
	c := counter{name: name}
	vector := int64(int32(order.Uint32(entry[8:])))
	value := int64(int32(order.Uint32(entry[16:])))
	switch {
	case entry[12] == 'J' && vector == 0:
		if value < perfEntrySize || value+8 > int64(len(entry)) {
			return c, fmt.Errorf("%s: value at byte %d of %d", name, value, len(entry))
		}
		c.number = int64(order.Uint64(entry[value:]))
	case entry[12] == 'B' && vector > 0:
		c.isText = true
		if c.text, err = cString(entry, value, vector); err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, nil
}

// cString reads at most limit bytes up to a NUL. Text of the JVM is modified UTF-8; bytes that are not valid UTF-8 are
// replaced.
func cString(entry []byte, at, limit int64) (string, error) {
	if at < perfEntrySize || at >= int64(len(entry)) {
		return "", fmt.Errorf("text at byte %d of %d", at, len(entry))
	}
	text := entry[at:min(at+limit, int64(len(entry)))]
	text, _, _ = bytes.Cut(text, []byte{0})
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}
