package flame

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// Bounds of a profile that another program wrote. Two bytes of it can take a hundred times
// as much in memory.
const (
	maxSampleCost = 160 << 20 // of all samples, in memory
	maxNamesCost  = 120 << 20 // of all else
	maxDepthRead  = 1 << 16   // frames of a stack
	// maxSamplesRead is how many are read, kept or not.
	maxSamplesRead = 50_000_000
)

// Fields of the protobuf of a profile, and of a sample in it.
const (
	fieldSample, fieldString                = 2, 6
	fieldLocations, fieldValues, fieldLabel = 1, 2, 3
)

var errNoProfile = errors.New("this is no pprof profile: it is cut or damaged")

// readPprof reads a profile. Samples for which there is no room are left out, which its
// comments say, and the error.
func readPprof(in io.Reader) (*profile.Profile, error) {
	r := pprofReader{in: bufio.NewReaderSize(in, 64<<10)}
	if err := r.read(); err != nil {
		return nil, err
	}
	p, err := profile.ParseData(r.kept)
	if err != nil {
		return nil, fmt.Errorf("this is no pprof profile: %w", err)
	}
	if len(p.SampleType) == 0 {
		return nil, errors.New("the profile has no sample types")
	}
	if r.left == 0 {
		return p, nil
	}
	return p, fmt.Errorf("%d of its %d samples are left out: they are more than can be held", r.left, r.samples)
}

// pprofReader takes over the fields of a profile for which there is room.
type pprofReader struct {
	in   *bufio.Reader
	kept []byte
	// samples counts all, left those that are left out.
	samples, left int
	// sampleCost and namesCost are what was kept takes in memory, about.
	sampleCost, namesCost int
	field                 []byte // the one in hand, with its tag
}

func (r *pprofReader) read() error {
	for {
		tag, err := binary.ReadUvarint(r.in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return cutProfile(err)
		}
		if err := r.take(tag); err != nil {
			return err
		}
	}
}

// take reads the field of a tag, and keeps it if there is room.
func (r *pprofReader) take(tag uint64) error {
	r.field = binary.AppendUvarint(r.field[:0], tag)
	begin := len(r.field)
	switch tag & 7 {
	case 0:
		v, err := binary.ReadUvarint(r.in)
		if err != nil {
			return cutProfile(err)
		}
		r.field = binary.AppendUvarint(r.field, v)
	case 2:
		size, err := binary.ReadUvarint(r.in)
		if err != nil {
			return cutProfile(err)
		}
		if size > maxNamesCost {
			return r.pass(tag>>3, size)
		}
		r.field = binary.AppendUvarint(r.field, size)
		begin = len(r.field)
		r.field = append(r.field, make([]byte, size)...)
		if _, err := io.ReadFull(r.in, r.field[begin:]); err != nil {
			return cutProfile(err)
		}
	default:
		return errNoProfile
	}
	return r.keep(tag>>3, r.field[begin:])
}

// pass leaves a field out that is larger than all that can be held.
func (r *pprofReader) pass(field, size uint64) error {
	if field != fieldSample || size > maxUnread {
		return errTooManyInProfile
	}
	r.samples++
	r.left++
	_, err := io.CopyN(io.Discard, r.in, int64(size))
	return cutProfile(err)
}

const maxUnread = 1 << 40

func (r *pprofReader) keep(field uint64, content []byte) error {
	if r.samples > maxSamplesRead {
		return fmt.Errorf("it has more than %d samples, more than can be read", maxSamplesRead)
	}
	switch field {
	case fieldSample:
		r.samples++
		cost, frames := costOfSample(content)
		if r.sampleCost+cost > maxSampleCost || frames > maxDepthRead {
			r.left++
			return nil
		}
		r.sampleCost += cost
	case fieldString:
		r.namesCost += 32 + len(content)
	default:
		r.namesCost += 200 + 16*len(content)
	}
	if r.namesCost > maxNamesCost {
		return errTooManyInProfile
	}
	r.kept = append(r.kept, r.field...)
	return nil
}

var errTooManyInProfile = fmt.Errorf("its functions and names take more than %d MB of memory", maxNamesCost>>20)

// costOfSample is about how much memory a sample takes, and how many frames it has.
func costOfSample(content []byte) (cost, frames int) {
	const each, frame, value, labels, label = 200, 24, 16, 300, 250
	cost = each
	count := 0
	eachField(content, func(field uint64, packed []byte) {
		n := 1
		if packed != nil {
			n = numbersIn(packed)
		}
		switch field {
		case fieldLocations:
			frames += n
			cost += n * frame
		case fieldValues:
			cost += n * value
		case fieldLabel:
			count++
		}
	})
	if count > 0 {
		cost += labels + count*label
	}
	return cost + len(content), frames
}

// eachField visits the fields of a message; packed is nil for a plain number.
func eachField(content []byte, visit func(field uint64, packed []byte)) {
	for len(content) > 0 {
		tag, n := binary.Uvarint(content)
		if n <= 0 {
			return
		}
		content = content[n:]
		value, n := binary.Uvarint(content)
		if n <= 0 {
			return
		}
		content = content[n:]
		var packed []byte
		switch tag & 7 {
		case 0:
		case 2:
			size := min(value, uint64(len(content)))
			packed, content = content[:size:size], content[size:]
			if packed == nil {
				packed = []byte{}
			}
		default:
			return
		}
		visit(tag>>3, packed)
	}
}

// numbersIn is how many numbers of 7 bits a byte there are.
func numbersIn(packed []byte) int {
	n := 0
	for _, b := range packed {
		if b < 0x80 {
			n++
		}
	}
	return n
}

// cutProfile is the error of a profile that ends within a field, or what reading failed with.
func cutProfile(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errNoProfile
	}
	return err
}
