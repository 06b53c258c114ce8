package jfr

// Events visits the events whose type is wanted (nil: all), in the order of the file. The decoder is at the first
// field, and need not be read to its end. The walk ends with the first error of the visitor, or of what it decoded.
func (c *Chunk) Events(wanted func(*Type) bool, visit func(t *Type, in *Decoder) error) error {
	want := newWanted(c.Types, wanted)
	var in Decoder
	for at := HeaderSize; at < len(c.Data); {
		in = Decoder{Data: c.Data, At: at, begin: at}
		size, kind := in.Number(), in.Number()
		if in.Err != nil || size < uint64(in.At-at) || size > uint64(len(c.Data)-at) {
			return errEventSize
		}
		next := at + int(size)
		in.Data = c.Data[:next]
		if t := want.of(kind); t != nil {
			if err := visit(t, &in); err != nil {
				return err
			}
			if in.Err != nil {
				return in.Err
			}
		}
		at = next
	}
	return nil
}

// wantedTypes are types by their ids.
type wantedTypes struct {
	low  []*Type // those of small ids, as JVMs give them
	high map[uint64]*Type
}

// lowIDs are looked up without a map.
const lowIDs = 1 << 12

func newWanted(types Types, wanted func(*Type) bool) wantedTypes {
	w := wantedTypes{low: make([]*Type, lowIDs), high: map[uint64]*Type{}}
	for id, t := range types {
		switch {
		case wanted != nil && !wanted(t):
		case id < lowIDs:
			w.low[id] = t
		default:
			w.high[uint64(id)] = t
		}
	}
	return w
}

func (w *wantedTypes) of(id uint64) *Type {
	if id < lowIDs {
		return w.low[id]
	}
	return w.high[id]
}
