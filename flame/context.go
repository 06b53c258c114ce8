package flame

// eventContext is what the events around a sample make its labels. The samples of one context share it.
type eventContext struct {
	labels []contextLabel
	// events are the places of the events in EventLabels.
	events []int
}

// contextLabel is a label with its value.
type contextLabel struct {
	key string
	labelValue
}

// labelValue is the value of a label: a number if it has a unit, else a text. The zero value is no value.
type labelValue struct {
	text   string
	number int64
	unit   string
}

func (v labelValue) isSet() bool { return v.text != "" || v.unit != "" }
