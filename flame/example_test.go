package flame_test

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/flame/page"
	"github.com/jstall/jstall/threaddump"
)

// What one thread did between the dumps of a JVM, by method in nanoseconds of CPU time, and as a page for a browser.
func ExampleBuilder() {
	matcher := timeline.NewMatcher()
	builder := flame.NewBuilder(flame.Options{
		Thread: func(name string, _ int64) bool { return name == "catalog-indexer" },
	})
	for number := range 3 {
		text, err := os.ReadFile(fmt.Sprintf("../testdata/demo/%d.txt", number+1))
		if err != nil {
			log.Fatal(err)
		}
		dumps, err := threaddump.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		builder.Add(matcher.Add(timeline.Observation{Dump: dumps[0]}))
	}
	p := builder.Profile()
	cpu, err := flame.WeightIndex(p, flame.CPU)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range p.Sample {
		fmt.Println(s.Location[0].Line[0].Function.Name, s.Value[cpu])
	}
	if err := page.Write(io.Discard, p, page.Options{Title: "orders"}); err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// com.example.orders.CatalogIndexer.seenBefore 490325000
	// com.example.orders.CatalogIndexer.similarity 1466125000
}
