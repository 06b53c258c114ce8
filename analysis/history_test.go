package analysis

import ()
