package thread

import (
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"slices"
)

// objectsStill reports whether no object has moved since. Where objects move while the program runs, or
// a collection is under way, all is read again and must be the same.
func (r *Reader) objectsStill(t *Thread, w *stack.Walk, began object.Epoch) bool {
	if !r.Form.Concurrent && !began.Active {
		return r.Epoch() == began
	}
	r.Objects.Forget()
	if r.Form.Z != nil {
		r.RefreshColours()
	}
	again := &Thread{Address: t.Address}
	r.ReadHeader(again)
	r.readRest(again, w)
	return t.same(again)
}

func (t *Thread) same(o *Thread) bool {
	return t.Object == o.Object && slices.Equal(t.RawName, o.RawName) && t.Unnamed == o.Unnamed && t.ID == o.ID &&
		t.Daemon == o.Daemon && t.Priority == o.Priority && t.State == o.State && t.Carries == o.Carries &&
		slices.EqualFunc(t.Frames, o.Frames, Frame.same) && slices.EqualFunc(t.Mounted, o.Mounted, Frame.same) &&
		(t.Waits == nil && o.Waits == nil || t.Waits != nil && o.Waits != nil && *t.Waits == *o.Waits)
}

func (f Frame) same(o Frame) bool { return f.Text == o.Text && slices.Equal(f.Locks, o.Locks) }
