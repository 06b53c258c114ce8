package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"jstall/analysis/object"
	"jstall/internal/hotspot"
	"jstall/internal/recording"
)

const (
	// objectsFormat is the version of the entry. A change that older releases would misread takes the next one.
	objectsFormat = 1
	// maxObjectsText bounds the entry: what 5,000 threads wait for takes less than a tenth of it.
	maxObjectsText = 4 << 20
	// objectsLimit bounds the reading beside a dump. It takes 10 ms for 40 threads.
	objectsLimit = 2 * time.Second
)

// objects reads what threads wait for and work for from the target's memory, right after a dump that it gave: one
// entry, or none where the memory is not to be read, or could not be before.
func (l *Live) objects(ctx context.Context, r Request, dump []byte) []recording.Entry {
	if r.Objects == NoObjects || l.Via != ViaAuto || l.noObjects || r.Objects == ObjectsOfTasks && !waitsForTask(dump) {
		return nil
	}
	begin := time.Now()
	limit := min(l.timeout(), objectsLimit)
	e := objectsEntry(fromMemory(ctx, l, limit, l.factsOfMemory))
	e.At, e.Took = begin.Sub(l.start), time.Since(begin)
	if l.noObjects = e.Err != nil; !l.noObjects {
		l.cost.Memory.Beside += e.Took
	}
	return []recording.Entry{e}
}

// waitsForTask tells a dump in which a thread waits for a FutureTask or a CompletableFuture, by a frame of theirs.
func waitsForTask(dump []byte) bool {
	return bytes.Contains(dump, []byte("java.util.concurrent.FutureTask.awaitDone(")) ||
		bytes.Contains(dump, []byte("java.util.concurrent.CompletableFuture$Signaller.block("))
}

// objectsEntry is the entry of what was read.
func objectsEntry(facts hotspot.Facts, err error) recording.Entry {
	e := recording.Entry{Kind: recording.Objects, Err: err}
	if err != nil {
		return e
	}
	text, err := json.Marshal(struct {
		Format int `json:"format"`
		hotspot.Facts
	}{objectsFormat, facts})
	if len(text) > maxObjectsText {
		err = fmt.Errorf("what the threads wait for takes more than %d MB", maxObjectsText>>20)
	}
	if e.Err = err; err == nil {
		e.Bytes = append(text, '\n') // those of one recording stand in one file
	}
	return e
}

// parseObjects reads such an entry; nil if it is damaged, or of a later format. A recording may be from anywhere:
// what makes no sense is left out.
func parseObjects(text []byte) *object.Set {
	var entry struct {
		Format int `json:"format"`
		object.Set
	}
	if len(text) > maxObjectsText || json.Unmarshal(text, &entry) != nil || entry.Format != objectsFormat {
		return nil
	}
	return entry.Sound()
}
