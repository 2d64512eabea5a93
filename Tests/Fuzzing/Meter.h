/// How many bytes of the heap are in use; the most of them are counted from here on.
long meter_begin(void);

long meter_in_use(void);

/// The most that were in use at a time since `meter_begin`.
long meter_most(void);
