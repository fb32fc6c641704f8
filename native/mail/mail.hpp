// Many messages at once, for Python.
#pragma once

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../vocabulary.hpp"
#include "mbox.hpp"
#include "message.hpp"

namespace likely::mail {

// Texts side by side, each with where it ends: as Arrow keeps them.
struct Column {
  Large<uint8_t> bytes;
  Large<int64_t> ends{0};

  void add(Bytes text) { bytes.insert(bytes.end(), text.begin(), text.end()); }
  void end() { ends.push_back((int64_t)bytes.size()); }
  Bytes operator[](std::size_t row) const {
    return {reinterpret_cast<const char*>(bytes.data()) + ends[row], (std::size_t)(ends[row + 1] - ends[row])};
  }
};

// What was read of messages, a row for each.
class Mail {
 public:
  enum : std::size_t { text, marks, subject, message_id, date, received, problems, columns };

  void add(const Reader& of) {
    column_[text].add(of.subject);
    column_[text].add("\n");
    column_[text].add(of.text);
    column_[marks].add(of.marks.all());
    column_[subject].add(of.subject);
    column_[message_id].add(of.message_id);
    column_[date].add(of.date);
    column_[received].add(of.received);
    for (std::size_t i = 0; i < of.problems.told.size(); ++i) {
      if (i) column_[problems].add("\n");
      column_[problems].add(of.problems.told[i]);
    }
    for (Column& column : column_) column.end();
  }

  std::size_t size() const { return column_[text].ends.size() - 1; }

  nb::tuple row(std::size_t at) const {
    require(at < size(), "there are not as many messages");
    const auto cell = [&](std::size_t column) { return nb::str(column_[column][at].data(), column_[column][at].size()); };
    return nb::make_tuple(cell(text), cell(marks), cell(subject), cell(message_id), cell(date), cell(received),
                          cell(problems));
  }

  // Where the texts of a column end, and their bytes.
  std::pair<Made<int64_t>, Made<uint8_t>> buffers(std::size_t column) const {
    require(column < columns, "there are not as many columns");
    return {made(Large<int64_t>(column_[column].ends)), made(Large<uint8_t>(column_[column].bytes))};
  }

 private:
  Column column_[columns];
};

// Asks Python, with the GIL. What is raised there is told as a mistake of ours.
template <class F>
auto with_python(F&& f) {
  nb::gil_scoped_acquire acquire;
  try {
    return f();
  } catch (nb::python_error& error) {
    throw std::runtime_error(nb::cast<std::string>(nb::str(error.type().attr("__name__"))) + ": " +
                             nb::cast<std::string>(nb::str(error.value())));
  }
}

inline OtherCharsets charsets_of(nb::callable decode) {
  return [decode = std::move(decode)](Bytes in, Bytes charset, Problems& problems) {
    return with_python([&] {
      const nb::object found = decode(nb::bytes(in.data(), in.size()), nb::str(charset.data(), charset.size()));
      if (const auto problem = nb::cast<std::string>(found[1]); !problem.empty()) problems.add(problem);
      return nb::cast<std::optional<std::string>>(found[0]);
    });
  };
}

using Numbers = std::array<std::size_t, 13>;
using Fields = std::vector<std::pair<std::string, std::string>>; // names, and how each is read

inline Reading reading_of(const Numbers& n, const Fields& fields, nb::callable decode, nb::callable without_leaks) {
  const Limits most{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12]};
  require(most.mark_characters > 50, "a mark needs more characters");
  std::vector<std::string> names;
  std::vector<std::pair<std::string, How>> marks;
  for (const auto& [name, how] : fields) {
    const auto found = std::find(std::begin(kHows), std::end(kHows), how);
    require(found != std::end(kHows), "a field is read in a way that is not known");
    names.push_back(name);
    marks.emplace_back(name + ":", (How)(found - std::begin(kHows)));
  }
  return {most, FieldNames(names), std::move(marks), Charsets(charsets_of(std::move(decode))),
          [without_leaks = std::move(without_leaks)](Bytes text) {
            return with_python([&] { return nb::cast<std::string>(without_leaks(nb::str(text.data(), text.size()))); });
          }};
}

inline Mail read_mail(const Reading& reading, const nb::list& raws) {
  std::vector<Bytes> messages;
  messages.reserve(raws.size());
  for (const nb::handle raw : raws) {
    require(PyBytes_Check(raw.ptr()), "a message is bytes");
    messages.emplace_back(PyBytes_AS_STRING(raw.ptr()), (std::size_t)PyBytes_GET_SIZE(raw.ptr()));
  }
  Mail mail;
  nb::gil_scoped_release release;
  Reader reader(reading);
  for (const Bytes message : messages) {
    reader.read(message);
    mail.add(reader);
  }
  return mail;
}

inline void define_mail(nb::module_& m) {
  nb::class_<Mail>(m, "Mail")
      .def("__len__", &Mail::size)
      .def("row", &Mail::row, nb::arg("at"))
      .def("buffers", &Mail::buffers, nb::arg("column"));
  nb::class_<Reading>(m, "MailReader")
      .def("__init__",
           [](Reading* self, const Numbers& most, const Fields& fields, nb::callable decode, nb::callable without_leaks) {
             new (self) Reading(reading_of(most, fields, std::move(decode), std::move(without_leaks)));
           },
           nb::arg("most"), nb::arg("fields"), nb::arg("decode"), nb::arg("without_leaks"))
      .def("read", &read_mail, nb::arg("raws").noconvert());
  m.def("from_lines",
        [](nb::bytes window, std::size_t start, std::size_t end) {
          return from_lines({window.c_str(), window.size()}, start, end);
        },
        nb::arg("window"), nb::arg("start"), nb::arg("end"));
}

} // namespace likely::mail
