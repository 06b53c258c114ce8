package flame

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/shell"
)

// readLabels reads the labels that --label-from asks for, nil for none.
func readLabels(open func() (io.ReadCloser, error), o flameOptions) (*flame.EventLabels, error) {
	if len(o.labelFrom) == 0 {
		return nil, nil
	}
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	labels, err := flame.ReadEventLabels(in, o.labelFrom, o.thread)
	if unknown := (*flame.UnknownLabelError)(nil); errors.As(err, &unknown) {
		return nil, shell.Usage(labelHint(unknown), "--label-from: %v", unknown)
	}
	return labels, err
}

// labelsNamed is how many labels a hint names.
const labelsNamed = 5

// labelHint names the labels of a recording that are nearest to the requested one.
func labelHint(e *flame.UnknownLabelError) string {
	if len(e.Known) == 0 {
		return "the recording has no events that could label samples"
	}
	return "the recording has " + strings.Join(shell.Nearest(e.Word, e.Known, labelsNamed), ", ")
}

// labelOf returns the label of the profile that --by names. Its beginning may be left out: customer for Order.customer.
func labelOf(p *profile.Profile, word string) (string, error) {
	keys := flame.LabelKeys(p)
	if word == "" || word == flame.LabelThread || slices.Contains(keys, word) {
		return word, nil
	}
	var found []string
	for _, key := range keys {
		if strings.HasSuffix(key, "."+word) || strings.HasSuffix(word, "."+key) { // with the package
			found = append(found, key)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(keys) == 0:
		return "", shell.Usage("omit --by", "--by %s: the samples have no labels", word)
	}
	return "", shell.Usage("--by "+strings.Join(keys, ", "), "--by %s: the samples have no such label, or several",
		word)
}
