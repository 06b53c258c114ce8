package threaddump_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

const logged = `10:00:01 INFO  starting
10:00:02 INFO  Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing)
10:00:02 INFO  
10:00:02 INFO  "orders-1" #21 [4711] daemon prio=5 os_prio=0 cpu=0.15ms elapsed=1.31s tid=0x00007ff1a411d770 nid=4711 waiting for monitor entry  [0x00007ff1a844c000]
10:00:02 INFO     java.lang.Thread.State: BLOCKED (on object monitor)
10:00:02 INFO  	at com.example.Orders.take(Orders.java:17)
10:00:02 INFO  	- waiting to lock <0x000000069ec025f0> (a com.example.Stock)
10:00:02 INFO  
10:00:02 INFO  JNI global refs: 15, weak refs: 0
`

func ExampleReader() {
	r := threaddump.NewReader(strings.NewReader(logged))
	for {
		dump, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		for _, t := range dump.Threads {
			fmt.Printf("line %d: %s is %s in %s, a %s\n", t.Line, t.Name, t.State, t.Stack[0].Name(), t.Locks[0].Class)
		}
	}
	// Output: line 4: orders-1 is BLOCKED in com.example.Orders.take, a com.example.Stock
}

func ExampleParse() {
	_, err := threaddump.Parse([]byte("-1\nOperation bogus not recognized!"))
	fmt.Println(err)
	// Output: no thread dump: it is a JVM's refusal of an attach command: "Operation bogus not recognized!"
}
