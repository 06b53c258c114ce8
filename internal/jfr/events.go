package jfr

// Events visits the events whose type is wanted (nil: all), in the order of the file. The decoder stands at the first
// field, and need not be read to its end. The walk ends with the first error of the visitor, or of what it decoded.
func (c *Chunk) Events(wanted func(*Type) bool, visit func(t *Type, in *Decoder) error) error {
	want := make(map[uint64]*Type, len(c.Types))
	for id, t := range c.Types {
		if wanted == nil || wanted(t) {
			want[uint64(id)] = t
		}
	}
	var in Decoder
	for at := HeaderSize; at < len(c.Data); {
		in = Decoder{Data: c.Data, At: at, begin: at}
		size, kind := in.Number(), in.Number()
		if in.Err != nil || size < uint64(in.At-at) || size > uint64(len(c.Data)-at) {
			return errEventSize
		}
		next := at + int(size)
		in.Data = c.Data[:next]
		if t := want[kind]; t != nil {
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
