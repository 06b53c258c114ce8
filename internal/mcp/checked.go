package mcp

import (
	"encoding/json"
	"fmt"
)

const (
	// longestText bounds each text of a call, in bytes.
	longestText = 4096
	// mostNames bounds how many files a call names.
	mostNames = 100
)

// checkedSize returns an error for arguments with a text or a list that is too long. The schemas of the tools do not
// repeat these bounds for each argument.
func checkedSize(arguments json.RawMessage) error {
	var value any
	if len(arguments) == 0 || json.Unmarshal(arguments, &value) != nil {
		return nil // the library says what is wrong
	}
	return sized(value)
}

func sized(value any) error {
	switch v := value.(type) {
	case string:
		if len(v) > longestText {
			return fmt.Errorf("an argument has %d bytes; a text may have %d", len(v), longestText)
		}
	case []any:
		if len(v) > mostNames {
			return fmt.Errorf("a list has %d elements; it may have %d", len(v), mostNames)
		}
		for _, e := range v {
			if err := sized(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, e := range v {
			if err := sized(name); err != nil {
				return err
			}
			if err := sized(e); err != nil {
				return err
			}
		}
	}
	return nil
}
