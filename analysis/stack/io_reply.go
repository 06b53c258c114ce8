package stack

import (
	"strings"

	"jstall/threaddump"
)

// PublicName is a method as those call it who know the interface alone: what an internal
// package has of it is called after it by custom, "MongoCollectionImpl", "HttpClientFacade".
func PublicName(f *threaddump.Frame) string {
	name := ShortName(f.Name())
	class, method, ok := strings.Cut(name, ".")
	if !ok || !strings.Contains("."+f.Class, ".internal.") {
		return name
	}
	for _, form := range [...]string{"Impl", "Facade"} {
		if of := strings.TrimSuffix(class, form); of != "" {
			class = of
		}
	}
	return class + "." + method
}
