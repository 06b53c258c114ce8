package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// sizeOf is how many threads some rows of a report represent.
func sizeOf(threads []*analysis.ThreadReport) int {
	n := 0
	for _, t := range threads {
		n += t.Size()
	}
	return n
}

// called is a thread's name in quotes, or "virtual #31" for a virtual thread without a name. A name that is cut is
// followed by the thread's id, as two names may differ only in the missing part.
func called(ref finding.ThreadRef) string {
	switch {
	case isUnnamed(ref):
		return fmt.Sprintf("virtual #%d", ref.ID)
	case !isCut(ref.Name) || identity(ref.ID, ref.NativeID) == "":
		return quote(ref.Name)
	case finding.GivenID(ref.ID):
		return quote(ref.Name) + fmt.Sprintf(" #%d", ref.ID)
	}
	return quote(ref.Name) + fmt.Sprintf(" (nid %d)", ref.NativeID)
}

// isCut reports whether quote shortens a name.
func isCut(name string) bool { return cells(escapeName(name)) > nameCells }

// withID is a thread's name and what identifies it, with some text after it.
func withID(ref finding.ThreadRef, after string) []span {
	if isUnnamed(ref) {
		return []span{strong(called(ref)), plain(after)}
	}
	mark := ""
	if isCut(ref.Name) && finding.GivenID(ref.ID) && ref.NativeID != 0 {
		mark = fmt.Sprintf(" #%d", ref.ID) // as other threads name it
	}
	return []span{strong(quote(ref.Name)), plain(mark + identity(ref.ID, ref.NativeID) + after)}
}

// isUnnamed recognises a virtual thread without a name, as most are.
func isUnnamed(ref finding.ThreadRef) bool {
	return ref.Name == "" && ref.NativeID == 0 && ref.ID != 0
}

// identity is ", nid 3311 (0xcef)", which top -H and dumps show, or else " #23"; empty if neither is known.
func identity(id, native int64) string {
	switch {
	case native != 0:
		return ", nid " + nativeID(native)
	case finding.GivenID(id):
		return fmt.Sprintf(" #%d", id)
	}
	return ""
}

// oldest is the thread with the lowest id.
func oldest(refs []finding.ThreadRef) finding.ThreadRef {
	return slices.MinFunc(refs, func(a, b finding.ThreadRef) int { return cmp.Compare(a.ID, b.ID) })
}

// names is `"main"`, `12 × "http-*"` or `"billing-2" and 2 more`.
func names(threads []*analysis.ThreadReport) string {
	refs := make([]finding.ThreadRef, 0, len(threads))
	for _, t := range threads {
		refs = append(refs, refOf(t))
		if t.NamePattern != "" { // it represents the names that the row does not have
			refs = append(refs, finding.ThreadRef{Name: starred(t.NamePattern), ID: t.ID})
		}
	}
	switch n := sizeOf(threads); {
	case n == 1:
		return called(refs[0])
	case len(refs) == 1 && !isUnnamed(refs[0]): // the names of the others are not known
		return count(n) + " like " + called(refs[0])
	default:
		return severalNames(n, refs)
	}
}

// nameInTable is names of one row, for a table that has a column of ids.
func nameInTable(t *analysis.ThreadReport) string {
	if t.Size() > 1 {
		return names([]*analysis.ThreadReport{t})
	}
	if ref := refOf(t); isUnnamed(ref) {
		return called(ref)
	}
	return quote(t.Name)
}

// idOf is the Java id of a row's thread, "#31"; of several threads the lowest, "#31…"; empty for a thread without an
// id.
func idOf(t *analysis.ThreadReport) string {
	switch {
	case !finding.GivenID(t.ID):
		return ""
	case t.Size() > 1:
		return lowestID(t.ID)
	}
	return fmt.Sprintf("#%d", t.ID)
}

// lowestID is the lowest id of several threads.
func lowestID(id int64) string { return fmt.Sprintf("#%d…", id) }

// starred is a pattern of names with the mark that all views use for a number: "http-*".
func starred(pattern string) string {
	return strings.NewReplacer("##", "#*", "#", "*").Replace(pattern)
}

func refOf(t *analysis.ThreadReport) finding.ThreadRef {
	return finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID}
}

// severalNames names n threads, of which refs are known: `12 × "http-*"`, or `"billing-2" and 2 more` if their names
// have nothing in common.
func severalNames(n int, refs []finding.ThreadRef) string {
	common := commonName(refs)
	if common == "" {
		return called(refs[0]) + " and " + count(n-1) + " more"
	}
	return count(n) + " × " + common
}

// leastCommon is the minimum length of the common part of names to be shown.
const leastCommon = 3

// commonName formats the names of several threads as one: "http-exec-*" if they have a common part. It is empty if they
// have none.
func commonName(refs []finding.ThreadRef) string {
	prefix, suffix := refs[0].Name, refs[0].Name
	same := true
	for _, ref := range refs[1:] {
		same = same && ref.Name == refs[0].Name
		prefix = commonPrefix(prefix, ref.Name)
		suffix = commonSuffix(suffix, ref.Name)
	}
	prefix, suffix = strings.TrimRight(prefix, digits), strings.TrimLeft(suffix, digits)
	byNumber := numbered(refs, prefix, suffix)
	if len(suffix) < leastCommon && !byNumber {
		suffix = ""
	}
	switch {
	case same && isUnnamed(refs[0]):
		return called(oldest(refs)) + "…"
	case same:
		return quote(refs[0].Name)
	case len(prefix)+len(suffix) < leastCommon && !byNumber:
		return ""
	}
	return quote(prefix + "*" + suffix)
}

const digits = "0123456789"

// numbered reports whether names differ only in a number, "t-1", "t-2", or have * for it.
func numbered(refs []finding.ThreadRef, prefix, suffix string) bool {
	if prefix == "" {
		return false
	}
	for _, ref := range refs {
		if len(ref.Name) <= len(prefix)+len(suffix) ||
			strings.Trim(ref.Name[len(prefix):len(ref.Name)-len(suffix)], digits+"*") != "" {
			return false
		}
	}
	return true
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func commonSuffix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[len(a)-n:]
}
