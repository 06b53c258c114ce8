package form

import (
	"encoding/json"
	"fmt"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
)

const (
	// ObjectsFormat is the version of the entry. A change that older releases would misread gets the next number.
	ObjectsFormat = 1
	// maxObjectsText bounds the entry. The entry of 5,000 threads takes less than a tenth of it.
	maxObjectsText = 4 << 20
)

// ObjectsEntry is the entry of facts that were read, or of the error.
func ObjectsEntry(facts hotspot.Facts, err error) recording.Entry {
	e := recording.Entry{Kind: recording.Objects, Err: err}
	if err != nil {
		return e
	}
	text, err := json.Marshal(struct {
		Format int `json:"format"`
		hotspot.Facts
	}{ObjectsFormat, facts})
	if len(text) > maxObjectsText {
		err = fmt.Errorf("what the threads wait for takes more than %d MB", maxObjectsText>>20)
	}
	if e.Err = err; err == nil {
		e.Bytes = append(text, '\n') // a recording has all of them in one file
	}
	return e
}

// ParseObjects reads such an entry; nil if it is damaged, or of a later format. As a recording may be from anyone,
// invalid values are left out.
func ParseObjects(text []byte) *object.Set {
	var entry struct {
		Format int `json:"format"`
		object.Set
	}
	if len(text) > maxObjectsText || json.Unmarshal(text, &entry) != nil || entry.Format != ObjectsFormat {
		return nil
	}
	return entry.Sound()
}
