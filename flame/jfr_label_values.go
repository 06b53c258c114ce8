package flame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
)

// labelConstants are the types of constants that labels refer to.
var labelConstants = []string{
	jfr.NameOfThread, jfr.NameOfGroup, jfr.NameOfText, jfr.NameOfClass, jfr.NameOfSymbol,
}

var errTooManyEnclosures = errors.New("too many events")

// labelReader reads the events of a recording that give labels.
type labelReader struct {
	words  []*labelWord
	labels *EventLabels
	thread func(name string, nid int64) bool
	// count is how many events there are, bytes what their texts take.
	count, bytes int
	// others are the words for all labels that the recording could give.
	others map[string]bool

	// of the chunk in hand
	file  *jfr.Chunk
	names *names
	types map[jfr.TypeID]*labelType
}

// labelType is a type of a chunk that gives labels.
type labelType struct {
	event *labelEvent
	// wanted are its fields to be read, at the place in the event of those that become labels, -1 of the others.
	wanted []bool
	at     []int
	last   jfr.Value // for its memory
}

func (r *labelReader) chunk(c *jfr.Chunk) error {
	r.file = c
	r.choose()
	if len(r.types) == 0 {
		return nil
	}
	var pooled []string
	for _, t := range r.types {
		for i := range t.at {
			if of := t.last.Type.Fields[i].Type; t.wanted[i] && of != nil {
				pooled = append(pooled, of.Name)
			}
		}
	}
	constants, err := c.Constants(append(pooled, labelConstants...)...)
	if err != nil {
		return err
	}
	r.names = newNames(c.Types, constants, false)
	return c.Events(func(t *jfr.Type) bool { return r.types[t.ID] != nil }, r.event)
}

// choose finds the types of the chunk that the words name.
func (r *labelReader) choose() {
	r.types = map[jfr.TypeID]*labelType{}
	events := slices.SortedFunc(maps.Values(r.file.Types), func(a, b *jfr.Type) int { return int(a.ID) - int(b.ID) })
	events = slices.DeleteFunc(events, func(t *jfr.Type) bool { return !t.IsEvent() })
	for _, w := range r.words {
		exact := slices.ContainsFunc(events, func(t *jfr.Type) bool { return t.Name == w.event })
		for _, t := range events {
			w.take(t, exact, func(f *jfr.Field) { r.want(t, f) })
		}
	}
	if r.others == nil {
		r.others = map[string]bool{}
	}
	for _, t := range events {
		for i := range t.Fields {
			if cannotEnclose(t) == "" && canBeLabel(&t.Fields[i]) && len(r.others) < maxKeys {
				r.others[t.Name+"."+t.Fields[i].Name] = true
			}
		}
	}
}

// known are the words for all labels that the recording could give.
func (r *labelReader) known() []string { return slices.Sorted(maps.Keys(r.others)) }

// want has a field of a type read.
func (r *labelReader) want(t *jfr.Type, f *jfr.Field) {
	l := r.types[t.ID]
	if l == nil {
		l = newLabelType(r.labels.event(t.Name), t)
		r.types[t.ID] = l
	}
	for i := range t.Fields {
		if &t.Fields[i] == f {
			l.wanted[i], l.at[i] = true, l.event.field(f.Name)
		}
	}
}

func newLabelType(e *labelEvent, t *jfr.Type) *labelType {
	l := &labelType{
		event: e, wanted: make([]bool, len(t.Fields)), at: make([]int, len(t.Fields)), last: jfr.Value{Type: t},
	}
	for i := range t.Fields {
		l.at[i] = -1
		l.wanted[i] = slices.Contains([]string{"startTime", "duration", "eventThread"}, t.Fields[i].Name)
	}
	return l
}

// event takes an event in.
func (r *labelReader) event(t *jfr.Type, in *jfr.Decoder) error {
	l := r.types[t.ID]
	l.last = r.file.Pick(t, in, l.wanted, l.last)
	if in.Err != nil {
		return in.Err
	}
	key, _ := l.last.Member("eventThread").Key()
	thread := r.names.thread(key)
	length := r.file.Nanos(l.last.Member("duration").Bits())
	isWanted := r.thread == nil || r.thread(thread.name, thread.nid)
	if r.names.err != nil || length == 0 || thread.id == (threadID{}) || !isWanted {
		return r.names.err
	}
	if r.count++; r.count > mostEnclosures {
		return fmt.Errorf("the recording has %w for labels, more than %d: %s", errTooManyEnclosures, mostEnclosures,
			l.event.name)
	}
	values := make([]labelValue, len(l.event.fields))
	for i, v := range l.last.Members() {
		if at := l.at[i]; at >= 0 {
			values[at] = r.value(v)
		}
	}
	number, err := r.number(l.event, values)
	from := r.file.Time(l.last.Member("startTime").Bits())
	l.event.around[thread.id] = append(l.event.around[thread.id], enclosure{from, end(from, length), number})
	return err
}

// number is the place of values among those of an event.
func (r *labelReader) number(e *labelEvent, values []labelValue) (int32, error) {
	var key []byte
	for _, v := range values {
		key = append(binary.AppendUvarint(key, uint64(len(v.text))), v.text...)
		key = append(append(binary.AppendVarint(key, v.number), v.unit...), 0)
	}
	if n, ok := e.numbers[string(key)]; ok {
		return n, nil
	}
	if r.bytes += 2*len(key) + 100; r.bytes > mostLabelTexts {
		return 0, fmt.Errorf("the recording has %w for labels: the values of %s take more than %d MB",
			errTooManyEnclosures, e.name, mostLabelTexts>>20)
	}
	n := int32(len(e.values))
	e.values, e.numbers[string(key)] = append(e.values, values), n
	return n, nil
}

// value is what a field holds. Of numbers those with a unit stay numbers: others are mostly ids.
func (r *labelReader) value(v jfr.Value) labelValue {
	if v.Type == nil {
		return labelValue{}
	}
	switch v.Type.Kind {
	case jfr.String:
		return labelValue{text: short(v.Text())}
	case jfr.Boolean:
		return labelValue{text: strconv.FormatBool(v.Int() != 0)}
	case jfr.Float:
		return labelValue{text: strconv.FormatFloat(v.Float(), 'g', -1, 32)}
	case jfr.Double:
		return labelValue{text: strconv.FormatFloat(v.Float(), 'g', -1, 64)}
	case jfr.Char:
		return labelValue{text: string(rune(v.Int()))}
	case jfr.Object:
		return labelValue{text: short(r.name(v))}
	}
	return r.whole(v)
}

// name is that of a thread, a class, or a constant that is a name.
func (r *labelReader) name(v jfr.Value) string {
	switch v.Type.Name {
	case jfr.NameOfThread:
		key, _ := v.Key()
		return r.names.thread(key).name
	case jfr.NameOfClass:
		return javaname.Dotted(v.Member("name").Member("string").Text())
	}
	if f := nameField(v.Type); f != nil {
		return v.Member(f.Name).Text()
	}
	return ""
}

// whole is a whole number.
func (r *labelReader) whole(v jfr.Value) labelValue {
	content, unit := v.Field.Content()
	switch {
	case content == jfr.Timespan && unit == "TICKS":
		return labelValue{number: r.file.Nanos(v.Bits()), unit: "nanoseconds"}
	case (content == jfr.Timespan || content == jfr.DataAmount) && unit != "":
		return labelValue{number: v.Int(), unit: strings.ToLower(short(unit))}
	case content == jfr.Timestamp && unit == "TICKS":
		return labelValue{text: time.Unix(0, r.file.Time(v.Bits())).UTC().Format(time.RFC3339Nano)}
	case content == jfr.Timestamp:
		return labelValue{text: time.UnixMilli(v.Int()).UTC().Format(time.RFC3339Nano)}
	case content == jfr.Address:
		return labelValue{text: "0x" + strconv.FormatUint(v.Bits(), 16)}
	case content == jfr.Unsigned:
		return labelValue{text: strconv.FormatUint(v.Bits(), 10)}
	}
	return labelValue{text: strconv.FormatInt(v.Int(), 10)}
}

// end is when something ends that lasts so long.
func end(from, length int64) int64 {
	if from > math.MaxInt64-length {
		return math.MaxInt64
	}
	return from + length
}

// Bounds of what the labels of a recording take in memory: 24 bytes an event, and the texts.
const (
	mostEnclosures = 2 << 20
	mostLabelTexts = 32 << 20
)
