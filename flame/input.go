package flame

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/google/pprof/profile"
)

// Input is what a file holds.
type Input string

// The kinds of input.
const (
	InputDumps     Input = "thread dumps"
	InputCollapsed Input = "collapsed stacks"
	InputPprof     Input = "a pprof profile"
	InputJFR       Input = "a flight recording"
)

// SniffLen is how much of a file's beginning Sniff wants to see.
const SniffLen = 64 << 10

// Sniff recognises what a file holds by its beginning, unpacked. What it does not know
// is left to the parser of thread dumps, which finds them in the middle of a log.
func Sniff(head []byte) Input {
	switch {
	case bytes.HasPrefix(head, []byte("FLR\x00")):
		return InputJFR
	case bytes.Contains(head, []byte("Full thread dump")):
		return InputDumps
	case isPprof(head):
		return InputPprof
	case isCollapsed(head):
		return InputCollapsed
	}
	return InputDumps
}

// isPprof knows the protobuf of a profile by its first field, the sample types: a
// tag, a length, and in it the numbers of two strings.
func isPprof(head []byte) bool {
	return len(head) > 3 && head[0] == 0x0a && head[1] < 16 && (head[2] == 0x08 || head[2] == 0x10) ||
		bytes.IndexByte(head, 0) >= 0 && !utf8.Valid(head)
}

// linesToSniff is how many lines must look like collapsed stacks.
const linesToSniff = 20

// isCollapsed recognises collapsed stacks by their first lines. Odd lines may be among them if more
// lines are stacks of several frames.
func isCollapsed(head []byte) bool {
	whole := len(head) < SniffLen
	stacks, deep, odd := 0, 0, 0
	for line := range bytes.Lines(head) {
		if !whole && !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		text := strings.TrimSpace(string(line))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		frames, _, err := collapsedLine(text)
		switch {
		case err != nil:
			odd++
		case len(frames) > 1:
			deep++
		}
		if err == nil {
			stacks++
		}
		if stacks+odd == linesToSniff {
			break
		}
	}
	return stacks > 0 && (odd == 0 || deep > odd)
}

// Read reads a profile of a kind that Sniff recognised, but for thread dumps and flight
// recordings. With an error the profile, if there is one, is what could be read of it.
func Read(r io.Reader, kind Input) (*profile.Profile, error) {
	if kind == InputCollapsed {
		return ReadCollapsed(r)
	}
	return readPprof(r)
}

// maxCollapsed bounds a line of collapsed stacks, in bytes.
const maxCollapsed = 4 << 20

// maxLines bounds the collapsed stacks that are read.
const maxLines = 5_000_000

// ReadCollapsed reads "a;b;c 12", a stack a line, outermost frame first; what the
// numbers count the format does not tell. With lines that are no stacks the error names them,
// and the profile is that of the others; nil without others.
func ReadCollapsed(r io.Reader) (*profile.Profile, error) {
	a := newAssembler(&profile.ValueType{Type: Unnamed, Unit: "count"})
	lines := bufio.NewReaderSize(r, maxCollapsed)
	var odd oddLines
	for number := 1; ; number++ {
		raw, err := lines.ReadSlice('\n')
		if number > maxLines {
			odd.note(number, fmt.Errorf("and the lines after it are more than can be read"))
			return odd.result(a)
		}
		switch {
		case err == bufio.ErrBufferFull:
			odd.note(number, fmt.Errorf("is longer than %d MB", maxCollapsed>>20))
			err = skipLine(lines)
		default:
			odd.note(number, a.readCollapsed(raw))
		}
		if err == io.EOF {
			return odd.result(a)
		}
		if err != nil {
			if odd.count > 0 {
				_, told := odd.result(a)
				err = fmt.Errorf("%w; %w", told, err)
			}
			return nil, err
		}
	}
}

// skipLine reads what is left of a line.
func skipLine(lines *bufio.Reader) error {
	for {
		if _, err := lines.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

// readCollapsed adds a line, if it is a stack. The error continues the words "line 7".
func (a *assembler) readCollapsed(raw []byte) error {
	text := strings.TrimSpace(string(raw))
	if text == "" || strings.HasPrefix(text, "#") {
		return nil
	}
	stack, count, err := collapsedLine(text)
	if err != nil {
		return err
	}
	if len(stack) > maxDepthRead {
		return fmt.Errorf("has more than %d frames", maxDepthRead)
	}
	a.addCollapsed(stack, count)
	return nil
}

// oddLines are the lines of a file that were left out.
type oddLines struct {
	count int
	told  []string
}

// mostOddLines is how many of them are reported one by one.
const mostOddLines = 3

// note takes a line with an error.
func (o *oddLines) note(number int, err error) {
	if err == nil {
		return
	}
	if o.count++; o.count <= mostOddLines {
		o.told = append(o.told, fmt.Sprintf("line %d %v", number, err))
	}
}

func (o *oddLines) result(a *assembler) (*profile.Profile, error) {
	a.profile.Comments = a.comments()
	if o.count == 0 {
		return a.profile, nil
	}
	text := strings.Join(o.told, "; ")
	if more := o.count - len(o.told); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	if len(a.profile.Sample) == 0 {
		return nil, errors.New(text)
	}
	return a.profile, fmt.Errorf("left out: %s", text)
}

// addCollapsed adds a line with the names of other profilers as ours. Among Java methods a name without a class is
// native code.
func (a *assembler) addCollapsed(stack []string, count int64) {
	names := make([]string, len(stack))
	hasJava := false
	for i, name := range stack {
		var isJava bool
		names[i], isJava = foreignName(name)
		hasJava = hasJava || isJava
	}
	id := noStack
	for _, name := range names {
		if hasJava && isBareSymbol(name) {
			name = fileOfNothing + "!" + name
		}
		id = a.under(id, frame{name: name, system: name})
	}
	a.add(id, labels{}, count)
}

// Merge makes one profile of several that have a sample type in common.
func Merge(parts []*profile.Profile) (*profile.Profile, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	if err := profile.CompatibilizeSampleTypes(parts); err != nil {
		return nil, fmt.Errorf("the inputs have no weight in common: %w", err)
	}
	if err := CheckWeights(parts...); err != nil {
		return nil, err
	}
	samePeriod(parts)
	p, err := profile.Merge(parts)
	if err != nil {
		return nil, err
	}
	p.DefaultSampleType = p.SampleType[0].Type
	return p, nil
}
